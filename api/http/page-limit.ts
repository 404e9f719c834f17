import type { RequestHandler } from 'express';
import type { Config } from '../../lib/config';
import { createProcessRateLimiter } from '../../lib/rate-limiter';
import { renderIdentityError, toAppError } from './errors';
import type { Logger } from '../../lib/logger';
import { toClientKey } from '../../lib/client-key';
import { consumeRateLimits } from './rate-limits';
import { getRequestId } from './router';

/** Limits the requests of one address to what needs no credential outside the two APIs, in each process. */
export function createPageLimit(
  { RATE_LIMIT_PAGES_PER_MINUTE }: Pick<Config, 'RATE_LIMIT_PAGES_PER_MINUTE'>,
  logger: Logger,
): RequestHandler {
  const limiter = createProcessRateLimiter('pages', RATE_LIMIT_PAGES_PER_MINUTE);
  return async (request, response, next) => {
    try {
      await consumeRateLimits([{ limiter, counts: 'address', key: toClientKey(request.ip ?? '') }], response);
    } catch (error) {
      const appError = toAppError(error, logger);
      response
        .status(appError.status)
        .set({ 'Cache-Control': 'no-store', 'Retry-After': String(appError.details?.retryAfterSeconds ?? 1) })
        .json(renderIdentityError(appError, getRequestId(response)));
      return;
    }
    next();
  };
}
