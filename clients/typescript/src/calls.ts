import type { operations } from './generated/schema';

type OperationName = keyof operations;
type JsonBody<R> = R extends { content: { 'application/json': infer B } } ? B : never;
type SuccessStatus = 200 | 201 | 202;

/** Body of the successful response of an operation. */
export type OperationResponse<N extends OperationName> = {
  [S in keyof operations[N]['responses']]: S extends SuccessStatus ? JsonBody<operations[N]['responses'][S]> : never;
}[keyof operations[N]['responses']];

type RequestBody<O> = O extends { requestBody?: infer R } ? RequestContent<NonNullable<R>> : never;
type RequestContent<R> = R extends { content: { 'application/json': infer B } }
  ? B
  : R extends { content: { 'multipart/form-data': infer F } }
    ? F
    : never;

/** The body of an operation; files may be given as Blobs, bytes or paths. */
export type Body<N extends OperationName> = RequestBody<operations[N]>;

/** The query of an operation. */
export type Query<N extends OperationName> = operations[N]['parameters'] extends { query?: infer Q }
  ? NonNullable<Q>
  : never;

/** Options of a single call. */
export interface CallOptions {
  /**
   * Makes a repeat of the call safe for 24 hours, also from another process.
   * @default a random key for every operation that supports it
   */
  idempotencyKey?: string;
  signal?: AbortSignal;
  headers?: Record<string, string>;
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
  options: CallOptions;
}
