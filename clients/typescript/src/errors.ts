/** A field that is not valid, with the values that are accepted. */
export interface FieldProblem {
  field: string;
  problem: string;
  /** Stable code of a problem that many fields have, such as `required`; absent from one that only its text describes. */
  code?: string;
  /** Values in the text of the problem, such as `max`. */
  params?: Record<string, string>;
}

/** A failure as the service describes it. */
export interface Failure {
  /** HTTP status; 0 if there was no response. */
  status: number;
  /** Stable, lower_snake. */
  code: string;
  message: string;
  details: Record<string, unknown>;
  /** Identifies the request in the service's logs; null if there was no response. */
  requestId: string | null;
  /** Seconds after which the request may be repeated (`Retry-After`). */
  retryAfterSeconds: number | null;
}

/** Any failure of a call. The class corresponds to the status, `code` to the cause. */
export class VouchError extends Error implements Failure {
  override readonly name: string = 'VouchError';
  readonly status: number;
  readonly code: string;
  readonly details: Record<string, unknown>;
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(failure: Failure, options?: ErrorOptions) {
    super(failure.message, options);
    this.status = failure.status;
    this.code = failure.code;
    this.details = failure.details;
    this.requestId = failure.requestId;
    this.retryAfterSeconds = failure.retryAfterSeconds;
  }

  /** Whether the same call may succeed later without a change. */
  get retryable(): boolean {
    return [0, 429, 500, 503].includes(this.status) || this.code === 'idempotency_in_progress';
  }
}

/** 400, 413, 415, 422: the request has to be changed; `fields` says where. */
export class InvalidRequestError extends VouchError {
  override readonly name = 'InvalidRequestError';

  /** Problems by field, as the API words them; empty where the request as a whole is wrong. */
  get fields(): FieldProblem[] {
    const { fields } = this.details;
    return Array.isArray(fields) ? (fields as FieldProblem[]) : [];
  }
}

/** 401: no credential, or one that is unknown, revoked, expired or not allowed from this address. */
export class AuthenticationError extends VouchError {
  override readonly name = 'AuthenticationError';
}

/** 403: the credential lacks the permission. */
export class PermissionError extends VouchError {
  override readonly name = 'PermissionError';
}

/** 404: no such record for this credential. */
export class NotFoundError extends VouchError {
  override readonly name = 'NotFoundError';
}

/** 409: the state of the record does not allow the operation. */
export class ConflictError extends VouchError {
  override readonly name = 'ConflictError';
}

/** 410: the record existed and has expired, such as a share token. */
export class GoneError extends VouchError {
  override readonly name = 'GoneError';
}

/** 429, after the retries of the client were used up. */
export class RateLimitError extends VouchError {
  override readonly name = 'RateLimitError';
}

/** 5xx, after the retries of the client were used up. */
export class ServiceError extends VouchError {
  override readonly name = 'ServiceError';
}

/** No response: the connection failed or timed out. */
export class ConnectionError extends VouchError {
  override readonly name = 'ConnectionError';
}

/** A helper reached its `timeoutSeconds`. */
export class WaitTimeoutError extends Error {
  override readonly name = 'WaitTimeoutError';
}

const ERROR_CLASSES: Readonly<Record<number, new (failure: Failure) => VouchError>> = {
  400: InvalidRequestError,
  401: AuthenticationError,
  403: PermissionError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: InvalidRequestError,
  415: InvalidRequestError,
  422: InvalidRequestError,
  429: RateLimitError,
};

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const stringOr = (value: unknown, fallback: string): string => (typeof value === 'string' ? value : fallback);

/** Fields of `errors`, in which `/api` lists them as `field: problem`; a service of an earlier version has no others. */
function parseFieldProblems(errors: readonly unknown[]): FieldProblem[] {
  return errors.map((each) => {
    const [, field = '', problem = String(each)] = /^([^:]*): (.*)$/s.exec(String(each)) ?? [];
    return { field, problem };
  });
}

/** What a body says about a failure: `/v1` has it in `error`, `/api` in the body itself. */
function readError(body: unknown): Record<string, unknown> {
  if (!isObject(body)) return {};
  if (isObject(body['error'])) return body['error'];
  const details = isObject(body['details']) ? body['details'] : {};
  const { errors } = body;
  if (Array.isArray(details['fields'])) return body;
  return Array.isArray(errors) ? { ...body, details: { ...details, fields: parseFieldProblems(errors) } } : body;
}

/** The error of a response with a status of 400 or more, also if its body does not come from the service. */
export function toVouchError(status: number, headers: Headers, body: unknown): VouchError {
  const error = readError(body);
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const ErrorClass = ERROR_CLASSES[status] ?? (status >= 500 ? ServiceError : VouchError);
  return new ErrorClass({
    status,
    code: stringOr(error['code'], `http_${status}`),
    message: stringOr(error['message'], `The service returned status ${status}.`),
    details: isObject(error['details']) ? error['details'] : {},
    requestId: stringOr(error['requestId'], headers.get('x-request-id') ?? '') || null,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}

/** The error of a successful response that is not JSON, such as a page of a proxy. */
export const toInvalidResponseError = (status: number, headers: Headers): VouchError =>
  new VouchError({
    status,
    code: 'invalid_response',
    message: `The response with status ${status} is not JSON.`,
    details: {},
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: null,
  });
