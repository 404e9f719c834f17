import { AppError, invalidFieldError, unavailableError } from '../../domain/errors';
import type { ErrorDetails } from '../../domain/errors';
import { summariseError } from '../../lib/logger';
import type { Logger } from '../../lib/logger';
import { isMongoUnavailable, isQueryTimeout } from '../../lib/mongo-errors';
import { isCutOff, isNetworkError } from '../../lib/network-errors';
import { isTemporalUnavailable } from '../../lib/temporal-errors';
import { presentProblems } from './problem-codes';

/** Renders an error as a response body of one API. */
export type ErrorRenderer = (error: AppError, requestId: string) => object;

const presentDetails = (details: ErrorDetails): ErrorDetails =>
  details.fields === undefined ? details : { ...details, fields: presentProblems(details.fields) };

/** `{ok: false, error: {code, message, details?, requestId}}` */
export const renderIdentityError: ErrorRenderer = (error, requestId) => ({
  ok: false,
  error: {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: presentDetails(error.details) }),
    requestId,
  },
});

/** `{ok: false, message, errors?, code, details?, requestId}` */
export const renderBusinessError: ErrorRenderer = (error, requestId) => {
  const details = presentDetails(error.details ?? {});
  const { fields } = details;
  return {
    ok: false,
    message: error.message,
    ...(fields === undefined ? {} : { errors: fields.map(({ field, problem }) => `${field}: ${problem}`) }),
    code: error.code,
    ...(Object.keys(details).length === 0 ? {} : { details }),
    requestId,
  };
};

interface HttpLikeError {
  status: number;
  type?: string;
  code?: string;
}

const isHttpLike = (error: unknown): error is HttpLikeError =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';

/** Codes of zlib and brotli. */
const DECOMPRESSION_CODE = /^(Z_|ERR__)/;

/** Converts errors of body-parser and the router. */
function convertFrameworkError(error: HttpLikeError): AppError | null {
  if (error.type === 'entity.too.large')
    return new AppError('body_too_large', 413, 'body: accepts at most 1 MB of JSON.');
  if (error.type === 'entity.parse.failed') return new AppError('invalid_json', 400, 'body: is not valid JSON.');
  if (error.type === 'charset.unsupported')
    return new AppError('unsupported_media_type', 415, 'Content-Type: accepts JSON in UTF-8 only.');
  if (error.type === 'encoding.unsupported')
    return new AppError('unsupported_media_type', 415, 'Content-Encoding: accepts gzip, deflate and br.');
  if (error.code !== undefined && DECOMPRESSION_CODE.test(error.code))
    return invalidFieldError('body', 'is not compressed as Content-Encoding says');
  if (error.status >= 400 && error.status < 500)
    return new AppError('invalid_request', 400, 'The request is malformed.');
  return null;
}

const queryTimeoutError = (): AppError =>
  new AppError(
    'query_timeout',
    503,
    'The query took too long and was ended; narrow its filter, for example to a shorter period or fewer records.',
    { retryAfterSeconds: 30 },
  );

/** Converts any error into an AppError. Unexpected errors are logged and become a 500 without their message. */
export function toAppError(error: unknown, logger: Logger): AppError {
  if (error instanceof AppError) {
    if (error.cause !== undefined) logger.warn({ reason: summariseError(error.cause) }, error.message);
    return error;
  }
  const framework = isHttpLike(error) ? convertFrameworkError(error) : null;
  if (framework !== null) return framework;
  if (isQueryTimeout(error)) {
    logger.warn({ reason: summariseError(error) }, 'A query was ended after QUERY_TIMEOUT_SECONDS');
    return queryTimeoutError();
  }
  if (isMongoUnavailable(error)) {
    logger.warn({ reason: summariseError(error) }, 'MongoDB does not respond');
    return unavailableError('The service cannot reach its database; try again.');
  }
  if (isTemporalUnavailable(error) || isNetworkError(error) || isCutOff(error)) {
    logger.warn({ reason: summariseError(error) }, 'A part of the service does not respond');
    return unavailableError('The service cannot reach a part of itself; try again.');
  }
  logger.error({ err: error }, 'Unexpected error');
  return new AppError('internal_error', 500, 'An internal error occurred; the request id identifies it in the logs.');
}
