import type { operations as businessOperations } from './generated/business-schema';
import type { operations } from './generated/schema';

type OperationName = keyof operations;
type JsonBody<R> = R extends { content: { 'application/json': infer B } } ? B : never;
type SuccessStatus = 200 | 201 | 202;

/** Body of the successful response of an operation, from its type in a generated schema. */
export type ResponseOf<O> = O extends { responses: infer R }
  ? { [S in keyof R]: S extends SuccessStatus ? JsonBody<R[S]> : never }[keyof R]
  : never;

/** The response of an operation that returns a file, or the state of its preparation (202). */
export type FileResponse<O> = Blob | (O extends { responses: { 202: infer R } } ? JsonBody<R> : never);

type RequestContent<R> = R extends { content: { 'application/json': infer B } }
  ? B
  : R extends { content: { 'multipart/form-data': infer F } }
    ? F
    : never;

/** The body of an operation, from its type in a generated schema. */
export type BodyOf<O> = O extends { requestBody?: infer R } ? RequestContent<NonNullable<R>> : never;

/** The query of an operation, from its type in a generated schema. */
export type QueryOf<O> = O extends { parameters: { query?: infer Q } } ? NonNullable<Q> : never;

/** Body of the successful response of an operation of `/v1`. */
export type OperationResponse<N extends OperationName> = ResponseOf<operations[N]>;

/** The body of an operation of `/v1`; files may be given as Blobs, bytes or paths. */
export type Body<N extends OperationName> = BodyOf<operations[N]>;

/** The query of an operation of `/v1`. */
export type Query<N extends OperationName> = QueryOf<operations[N]>;

type BusinessOperationName = keyof businessOperations;

/** Body of the successful response of an operation of `/api`. */
export type BusinessResponse<N extends BusinessOperationName> = ResponseOf<businessOperations[N]>;

/** The body of an operation of `/api`. */
export type BusinessBody<N extends BusinessOperationName> = BodyOf<businessOperations[N]>;

/** The query of an operation of `/api`. */
export type BusinessQuery<N extends BusinessOperationName> = QueryOf<businessOperations[N]>;

/** Options of a single call. */
export interface CallOptions {
  /**
   * Makes a repeat of the call safe for 24 hours, also from another process.
   * @default a random key for every operation that supports it
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
  /** Called with a successful response before its body is returned, such as for the ETag that a change is sent with. */
  onResponse?: (response: { status: number; headers: Headers }) => void;
}

/** One call as the generated methods build it. */
export interface Call {
  method: string;
  path: string;
  query?: object;
  body?: object;
  /** Fields that are files; set for a multipart body. */
  files?: readonly string[];
  /** The operation supports Idempotency-Key. */
  idempotent?: boolean;
  /** The response is a file, unless its status is 202. */
  isFile?: boolean;
  options: CallOptions;
}
