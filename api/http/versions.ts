import { crc32 } from 'node:zlib';
import { invalidFieldError } from '../../domain/errors';
import type { RouteContext } from './route';

/** What an operation that honours If-Match answers if the record has changed. */
export const VERSION_MISMATCH = 'The record has changed since the version that If-Match names.';

/** The ETag is the version of the record, followed by the version of derived figures such as stock or open amount. */
export const buildEtagHeader = (version: number, derived?: number): { ETag: string } => ({
  ETag: derived === undefined ? `"${version}"` : `"${version}.${derived}"`,
});

/**
 * The ETag of a response that contains more than its record, such as names of users: the version of the record, followed
 * by a checksum of the body. If-Match compares the version alone.
 * @param version as it was before the rest of the body was read, so that the body is never older than it
 */
export const buildBodyEtagHeader = (version: number, body: object): { ETag: string } =>
  buildEtagHeader(version, crc32(JSON.stringify(body)));

/**
 * The version in If-Match; undefined if the header is absent or `*`. A weak ETag (`W/"…"`) counts like a strong one,
 * because proxies that compress responses weaken the ETags that clients send back.
 * @throws AppError 400 if it is not an ETag of this API
 */
export function parseIfMatch(context: RouteContext): number | undefined {
  const sent = context.header('if-match')?.trim();
  if (sent === undefined || sent === '*') return undefined;
  const version = /^(?:W\/)?"(\d{1,15})(?:\.\d{1,15})?"$/.exec(sent)?.[1];
  if (version === undefined) throw invalidFieldError('If-Match', 'must be one ETag as it was received, or *');
  return Number(version);
}
