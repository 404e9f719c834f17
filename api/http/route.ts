import type { Duplex, Readable } from 'node:stream';
import { z } from 'zod';
import { AppError } from '../../domain/errors';
import type { FieldProblem } from '../../domain/errors';
import type { IdempotentUse } from '../../services/platform/transactions/idempotency';
import type { Platform } from '../../services/platform/platform';
import type { Credential } from './credentials';
import { parsePart, parseQuery } from './validation';

/** A file of a multipart body in memory; at most `MAX_FILE_BYTES`. */
export interface UploadedFile {
  body: Buffer;
  /** File name from the client; neither trusted nor stored. */
  name: string;
}

/** Preferences of the client for slow operations (`Prefer: wait=`, `Prefer: respond-async`). */
export interface Preferences {
  waitSeconds: number | null;
  respondAsync: boolean;
}

export interface RouteContext {
  platform: Platform;
  /** @throws AppError 401 on a public route without a credential */
  credential: Credential;
  address: string;
  preferences: Preferences;
  header(name: string): string | undefined;
  /** The Idempotency-Key of the request with the fingerprint of its fields and files, if it has one. */
  idempotency: IdempotentUse | undefined;
}

interface ReplyHead<S extends number> {
  status: S;
  headers?: Record<string, string | string[]>;
}

/** A JSON response; the router adds `ok: true`. */
export interface JsonReply<S extends number = number, B extends object = object> extends ReplyHead<S> {
  body: B;
}

/** A file held in memory. */
export interface BytesReply<S extends number = number> extends ReplyHead<S> {
  bytes: Buffer;
  contentType: string;
}

/** A file read from a stream, with the transformations it is piped through. */
export interface StreamReply<S extends number = number> extends ReplyHead<S> {
  stream: readonly [Readable, ...Duplex[]];
  contentType: string;
}

/** What a handler returns and the router sends. */
export type Reply = JsonReply | BytesReply | StreamReply;

export interface RouteInput<P, Q, B> {
  params: P;
  query: Q;
  body: B;
  files: Readonly<Record<string, UploadedFile>>;
}

/** Documentation of a JSON response; `schema` describes the fields next to `ok`. */
export interface JsonReplyDoc<T extends z.ZodObject = z.ZodObject> {
  description: string;
  schema: T;
  /** @default the recorded response in api/examples */
  example?: object;
}

/** Documentation of a file, of one content type or of one of several. */
export interface FileReplyDoc {
  description: string;
  contentType: string | readonly string[];
}

export type ReplyDoc = JsonReplyDoc | FileReplyDoc;

/** The documented responses of a route by status. */
export type ReplyDocs = Readonly<Record<number, ReplyDoc>>;

/** What a handler may return for its documented responses: one type per declared status. */
export type ReplyFor<R extends ReplyDocs> = {
  [S in keyof R & number]: R[S] extends JsonReplyDoc<infer T>
    ? JsonReply<S, z.input<T>>
    : BytesReply<S> | StreamReply<S>;
}[keyof R & number];

type KeyOf<T> = T extends unknown ? keyof T : never;
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never;

/** `Actual` with `never` in place of each field, at any depth, that `Documented` does not have. */
export type Exact<Actual, Documented> = unknown extends Documented
  ? Actual
  : Actual extends readonly (infer Item)[]
    ? readonly Exact<Item, Extract<Documented, readonly unknown[]>[number]>[]
    : Actual extends object
      ? { [K in keyof Actual]: K extends KeyOf<Documented> ? Exact<Actual[K], ValueOf<Documented, K>> : never }
      : Actual;

/**
 * Structural typing accepts undocumented fields; this rejects them in the JSON body of a reply. It also rejects every
 * reply to documentation without literal statuses, which would accept any status.
 */
type ExactReply<Actual, R extends ReplyDocs> = number extends keyof R
  ? never
  : Actual extends { status: number; body: infer Body }
    ? JsonReply & { body: Exact<Body, Extract<ReplyFor<R>, { status: Actual['status']; body: unknown }>['body']> }
    : BytesReply | StreamReply;

/** A file field. A repeatable field is read as `name[0]`, `name[1]` … in the order of the body. */
export interface FileField {
  required: boolean;
  description: string;
  /** @default 1 */
  maxCount?: number;
}

interface RouteSpec<
  P extends z.ZodType,
  Q extends z.ZodType,
  B extends z.ZodType,
  R extends ReplyDocs,
  H extends ReplyFor<R>,
> {
  method: 'get' | 'post' | 'put' | 'patch' | 'delete';
  /** Express path with the API's prefix, such as `/v1/sessions/:id`. */
  path: string;
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  /** Whether the route is an addition to the original contract. */
  addition?: boolean;
  /** `public`: no credential; `any`: any credential; otherwise the required permission. */
  permission: 'public' | 'any' | (string & {});
  /** Permissions of which each allows the call, too. */
  alternativePermissions?: readonly string[];
  /** Whether users can call the route before they have completed their account. @default false */
  whileRestricted?: boolean;
  /** Rate limit of the route; `authentication` and `exports` count in addition to `general`. @default general */
  limit?: 'general' | 'session_creation' | 'authentication' | 'exports' | 'exempt';
  params?: P;
  query?: Q;
  /** The JSON body, or the text fields of a multipart body. */
  body?: B;
  /** The files of a multipart body; `body` then describes the text fields. */
  files?: Readonly<Record<string, FileField>>;
  /** Descriptions of optional request headers in addition to Idempotency-Key. */
  headers?: Readonly<Record<string, string>>;
  /** Whether the route supports Idempotency-Key. */
  idempotent?: boolean;
  bodyExample?: object;
  replies: R;
  /** Causes of error statuses other than 400, 401, 403, 404, 429 and 500. */
  errors?: Readonly<Record<number, string>>;
  handle(context: RouteContext, input: RouteInput<z.infer<P>, z.infer<Q>, z.infer<B>>): Promise<H & ExactReply<H, R>>;
}

/** The parts of a request before validation. */
export interface RawInput {
  params: unknown;
  query: unknown;
  body: unknown;
  files: Readonly<Record<string, UploadedFile>>;
}

/** A route for the router and the OpenAPI generator; `run` validates the input and calls the handler. */
export type Route = Omit<RouteSpec<z.ZodType, z.ZodType, z.ZodType, ReplyDocs, never>, 'handle'> & {
  run(context: RouteContext, raw: RawInput): Promise<Reply>;
};

/** The query of a route without parameters, so that a misspelt or unsupported parameter is never ignored. */
const NO_QUERY = z.strictObject({});

/**
 * Defines a route. Its schemas validate the request, type the handler and generate the OpenAPI document. A malformed id in
 * the path results in 404, other invalid input in 400 with all invalid fields.
 */
export function defineRoute<
  P extends z.ZodType = z.ZodUndefined,
  Q extends z.ZodType = z.ZodUndefined,
  B extends z.ZodType = z.ZodUndefined,
  R extends ReplyDocs = ReplyDocs,
  const H extends ReplyFor<R> = ReplyFor<R>,
>(spec: RouteSpec<P, Q, B, R, H>): Route {
  return {
    ...spec,
    async run(context, raw) {
      const idProblems: FieldProblem[] = [];
      const params = parsePart(spec.params, raw.params, 'path', idProblems);
      if (idProblems.length > 0) throw new AppError('not_found', 404, 'No such record.', { fields: idProblems });
      const problems: FieldProblem[] = [];
      if (spec.query === undefined) parsePart(NO_QUERY, raw.query, 'query', problems);
      const query = parseQuery(spec.query, raw.query, problems);
      const body = parsePart(spec.body, raw.body, 'body', problems);
      for (const [field, file] of Object.entries(spec.files ?? {})) {
        const first = (file.maxCount ?? 1) > 1 ? `${field}[0]` : field;
        if (file.required && raw.files[first] === undefined) problems.push({ field, problem: 'a file is required' });
      }
      if (problems.length > 0) {
        const summary = problems.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
        throw new AppError('invalid_request', 400, summary, { fields: problems });
      }
      return spec.handle(context, { params, query, body, files: raw.files });
    },
  };
}
