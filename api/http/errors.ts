import { AppError } from '../../domain/errors';
import type { Logger } from '../../lib/logger';

/** Turns an error into the body of one API. */
export type ErrorRenderer = (error: AppError, requestId: string) => object;

/** `{ok: false, error: {code, message, details?, requestId}}` */
export const renderIdentityError: ErrorRenderer = (error, requestId) => ({
  ok: false,
  error: {
    code: error.code,
    message: error.message,
    ...(error.details === undefined ? {} : { details: error.details }),
    requestId,
  },
});

/** `{ok: false, message, errors?, code, requestId}`: `code`, `details` and `requestId` are additions to the contract. */
export const renderBusinessError: ErrorRenderer = (error, requestId) => {
  const { fields, ...details } = error.details ?? {};
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
}

const isHttpLike = (error: unknown): error is HttpLikeError =>
  typeof error === 'object' && error !== null && 'status' in error && typeof error.status === 'number';

/** What body-parser and the router throw, in our words. */
function convertFrameworkError(error: HttpLikeError): AppError | null {
  if (error.type === 'entity.too.large')
    return new AppError('body_too_large', 413, 'body: accepts at most 1 MB of JSON.');
  if (error.type === 'entity.parse.failed') return new AppError('invalid_json', 400, 'body: is not valid JSON.');
  if (error.type === 'charset.unsupported' || error.type === 'encoding.unsupported') {
    return new AppError('unsupported_media_type', 415, 'Content-Type: accepts UTF-8 JSON.');
  }
  if (error.status >= 400 && error.status < 500)
    return new AppError('invalid_request', 400, 'The request is malformed.');
  return null;
}

const UNAVAILABLE_ERROR_NAMES =
  /^(MongoServerSelectionError|MongoNetworkError|MongoNetworkTimeoutError|MongooseServerSelectionError|MongoNotConnectedError|MongoPoolClearedError|PoolClearedError|PoolClearedOnNetworkError)$/;

/** Any error as an AppError; what was not foreseen is logged and answered 500 without its text. */
export function toAppError(error: unknown, logger: Logger): AppError {
  if (error instanceof AppError) return error;
  const framework = isHttpLike(error) ? convertFrameworkError(error) : null;
  if (framework !== null) return framework;
  if (error instanceof Error && UNAVAILABLE_ERROR_NAMES.test(error.name)) {
    logger.warn({ err: error }, 'A store does not answer');
    return new AppError('unavailable', 503, 'The service cannot reach its database; try again.', {
      retryAfterSeconds: 2,
    });
  }
  logger.error({ err: error }, 'Unforeseen error');
  return new AppError('internal_error', 500, 'Something went wrong on our side; the request id finds it in the logs.');
}
