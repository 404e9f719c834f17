/** HTTP statuses of errors; the API contracts contain no others. */
export type ErrorStatus = 400 | 401 | 403 | 404 | 405 | 408 | 409 | 410 | 412 | 413 | 415 | 422 | 429 | 500 | 503;

/** An invalid input field: its path, such as `lines[0].quantity`, and the accepted values. */
export interface FieldProblem {
  field: string;
  problem: string;
}

export interface ErrorDetails {
  fields?: FieldProblem[];
  retryAfterSeconds?: number;
  [key: string]: unknown;
}

/**
 * The error type of the service. `code` is stable and in snake_case. `message` describes the problem and the accepted
 * values, without personal data. Each API renders errors in its own format (api/http/errors.ts).
 */
export class AppError extends Error {
  override readonly name = 'AppError';

  constructor(
    readonly code: string,
    readonly status: ErrorStatus,
    message: string,
    readonly details?: ErrorDetails,
  ) {
    super(message);
  }
}

/** A store that the service depends on does not respond: clients try again, and activities do so until it responds. */
export function unavailableError(message: string, cause?: unknown): AppError {
  const error = new AppError('unavailable', 503, message, { retryAfterSeconds: 2 });
  error.cause = cause;
  return error;
}

export const notFoundError = (what: string): AppError => new AppError('not_found', 404, `No such ${what}.`);

export const invalidRequestError = (fields: FieldProblem[], message = 'The request is not valid.'): AppError =>
  new AppError('invalid_request', 400, message, { fields });

export const invalidFieldError = (field: string, problem: string): AppError =>
  invalidRequestError([{ field, problem }], `${field}: ${problem}`);

export const conflictError = (code: string, message: string, details?: ErrorDetails): AppError =>
  new AppError(code, 409, message, details);

export const unauthorizedError = (message = 'Authentication is required.'): AppError =>
  new AppError('unauthorized', 401, message);

export const forbiddenError = (permission: string): AppError =>
  new AppError('forbidden', 403, `This credential lacks the permission ${permission}.`, { permission });
