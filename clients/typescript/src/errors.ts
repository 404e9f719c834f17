/** One field that was wrong, and what is accepted there. */
export interface FieldProblem {
  field: string;
  problem: string;
}

/** What the service says of a failure. */
export interface Failure {
  /** HTTP status; 0 when no answer came. */
  status: number;
  /** Stable, lower_snake. */
  code: string;
  message: string;
  details: Record<string, unknown>;
  /** Finds the request in the service's logs; null when no answer came. */
  requestId: string | null;
  /** Seconds after which the service asks to be called again. */
  retryAfterSeconds: number | null;
}

/** Every failure of a call. Its class tells the kind, `code` the case. */
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

/** 409: the record is not in a state for this. */
export class ConflictError extends VouchError {
  override readonly name = 'ConflictError';
}

/** 410: it was there and is over, such as an expired share token. */
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

/** No answer came: the connection failed, or the time was up. */
export class ConnectionError extends VouchError {
  override readonly name = 'ConnectionError';
}

/** A helper waited as long as it was told to. */
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

/** The error of an answer with a status of 400 or more; a body that is not the service's own is no obstacle. */
export function toVouchError(status: number, headers: Headers, body: unknown): VouchError {
  const error = isObject(body) && isObject(body['error']) ? body['error'] : {};
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  const ErrorClass = ERROR_CLASSES[status] ?? (status >= 500 ? ServiceError : VouchError);
  return new ErrorClass({
    status,
    code: stringOr(error['code'], `http_${status}`),
    message: stringOr(error['message'], `The service answered ${status}.`),
    details: isObject(error['details']) ? error['details'] : {},
    requestId: stringOr(error['requestId'], headers.get('x-request-id') ?? '') || null,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : null,
  });
}
