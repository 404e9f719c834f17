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

/**
 * 404.
 * @param what the kind of record; its id is not repeated
 */
export const notFoundError = (what: string): AppError => new AppError('not_found', 404, `No such ${what}.`);

/** 400 naming every wrong field. */
export const invalidRequestError = (fields: FieldProblem[], message = 'The request is not valid.'): AppError =>
  new AppError('invalid_request', 400, message, { fields });

/**
 * 400 naming one wrong field.
 * @param problem completes the sentence that the field begins
 */
export const invalidFieldError = (field: string, problem: string): AppError =>
  invalidRequestError([{ field, problem }], `${field}: ${problem}`);

/** 409 with a code of its own. */
export const conflictError = (code: string, message: string, details?: ErrorDetails): AppError =>
  new AppError(code, 409, message, details);

/** 401: the request has no valid credential. */
export const unauthorizedError = (message = 'Authentication is required.'): AppError =>
  new AppError('unauthorized', 401, message);

/** 403 naming the permission that the credential lacks, and fields that need it. */
export const forbiddenError = (permission: string, fields: FieldProblem[] = []): AppError => {
  const message = `This credential lacks the permission ${permission}.`;
  if (fields.length === 0) return new AppError('forbidden', 403, message, { permission });
  const problems = fields.map(({ field, problem }) => `${field}: ${problem}`).join('; ');
  return new AppError('forbidden', 403, `${problems}. ${message}`, { permission, fields });
};

/**
 * The code with which a record states why processing failed.
 * @param reason an error code; `internal_error` takes the place of any other text, such as the message of an error of the
 * runtime
 */
export const toFailureCode = (reason: string): string => (/^[a-z][a-z0-9_]*$/.test(reason) ? reason : 'internal_error');
