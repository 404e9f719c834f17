import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { json } from 'express';
import type { Request, Response } from 'express';
import { AppError, invalidFieldError } from '../../domain/errors';
import type { RequestBody } from './body-intake';

/** Deeper than any field of either contract, and safe for functions that traverse a body recursively. */
const MAX_DEPTH = 32;

/** RFC 8259 requires UTF-8. A decoder would replace invalid bytes by U+FFFD, and the replacement would be stored. */
function requireUtf8(_request: IncomingMessage, _response: unknown, bytes: Buffer, encoding: string): void {
  if (encoding !== 'utf-8')
    throw new AppError('unsupported_media_type', 415, 'Content-Type: accepts JSON in UTF-8 only.');
  if (!isUtf8(bytes)) throw invalidFieldError('body', 'is not valid UTF-8');
}

const MAX_BODY_BYTES = 1024 * 1024;

/** Every JSON value is read: the schema of the route says that it must be an object. */
const parse = json({ limit: MAX_BODY_BYTES, strict: false, verify: requireUtf8 });

/** MongoDB rejects U+0000 in field names and replaces unpaired surrogates. */
export const isStorable = (text: string): boolean => !text.includes('\u0000') && !/\p{Surrogate}/u.test(text);

/**
 * Names by which MongoDB, its driver and mongoose tell their own objects from data, and those that every JavaScript
 * object has: a value under such a name would be dropped or could not be stored.
 */
const isReservedName = (name: string): boolean =>
  name.startsWith('$') || /^(_bsontype|isMongoose\w*|toBSON|toJSON|toObject)$/.test(name) || name in Object.prototype;

function requireStorableName(name: string, path: readonly string[]): void {
  const field = path.length === 0 ? 'body' : path.join('.');
  if (!isStorable(name)) throw invalidFieldError(field, 'has a name with U+0000 or half of a surrogate pair in it');
  if (isReservedName(name)) throw invalidFieldError([...path, name].join('.'), 'is a reserved name; use another');
}

/**
 * Requires that a value parsed from JSON is stored as it was sent.
 * @param path of the value in the request
 * @throws AppError 400 naming the field whose text, number or name cannot be stored, or that is nested too deeply
 */
export function requireStorable(value: unknown, path: readonly string[] = []): void {
  const field = path.length === 0 ? 'body' : path.join('.');
  if (typeof value === 'string') {
    if (!isStorable(value)) throw invalidFieldError(field, 'must not contain U+0000 or half of a surrogate pair');
    return;
  }
  // JSON has no infinity: a number such as 1e999 is too large to be read.
  if (typeof value === 'number' && !Number.isFinite(value))
    throw invalidFieldError(field, 'must not be larger than 1.8e308');
  if (typeof value !== 'object' || value === null) return;
  if (path.length === MAX_DEPTH) throw invalidFieldError('body', `is nested deeper than ${MAX_DEPTH} levels`);
  for (const [key, item] of Object.entries(value)) {
    requireStorableName(key, path);
    requireStorable(item, [...path, key]);
  }
}

const hasBody = (request: Request): boolean =>
  request.headers['transfer-encoding'] !== undefined || Number(request.headers['content-length'] ?? 0) > 0;

/** What the body may need in memory: a compressed one, and one of unknown length, as much as is accepted. */
function estimateBytes({ headers }: Request): number {
  if (headers['content-encoding'] !== undefined || headers['content-length'] === undefined) return MAX_BODY_BYTES;
  return Math.min(MAX_BODY_BYTES, Number(headers['content-length']));
}

/**
 * Reads a JSON body; a missing body counts as `{}`.
 * @param body takes the memory, until the caller releases it
 * @throws AppError 400 for invalid JSON and for text, numbers and names that cannot be stored, 413 above 1 MB, 415 for
 * another content type, 503 above the budget of the process
 */
export async function readJson(request: Request, response: Response, body: RequestBody): Promise<unknown> {
  if (!hasBody(request)) return {};
  if (request.is('application/json') === false) {
    throw new AppError('unsupported_media_type', 415, 'Content-Type: accepts application/json.');
  }
  body.takeMemory(estimateBytes(request));
  await new Promise<void>((resolve, reject) =>
    parse(request, response, (error?: unknown) =>
      error === undefined
        ? resolve()
        : reject(error instanceof Error ? error : new Error('The body could not be read.')),
    ),
  );
  const value: unknown = request.body;
  requireStorable(value);
  return value;
}
