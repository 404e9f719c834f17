import type { Response } from 'express';
import { AppError } from '../../domain/errors';
import type { Config } from '../../lib/config';
import { createRateLimiter, RATE_LIMIT_WINDOW_SECONDS } from '../../lib/rate-limiter';
import type { RateLimiter, RateLimitResult } from '../../lib/rate-limiter';
import type { Credential } from './credentials';

/** Whose requests a limit counts; `details.limit` of 429 and the name in `RateLimit-Policy`. */
type RateLimitSubject = 'address' | 'key' | 'user' | 'organisation';

const SUBJECT_NAMES: Readonly<Record<RateLimitSubject, string>> = {
  address: 'one client address',
  key: 'one API key',
  user: 'one user',
  organisation: 'all keys and users of the organisation together',
};

export interface RateLimitUse {
  limiter: RateLimiter;
  counts: RateLimitSubject;
  key: string;
  /** Whether a request counts only if it succeeds. @default false */
  onlyIfAccepted?: boolean;
}

/** The use that counts a request against the limit of one API key or user of an organisation. */
export const countCaller = (limiter: RateLimiter, { organisationId, id, kind }: Credential): RateLimitUse => ({
  limiter,
  counts: kind === 'user' ? 'user' : 'key',
  key: `${organisationId}:${id}`,
});

/**
 * The limiter of all requests of an organisation, so that further keys and users do not multiply its limit. Test mode
 * counts separately, so that tests of an integration never use up the limit of live requests.
 * @param perMinute the limit of one key, user or address
 */
export function createOrganisationLimit(
  name: string,
  perMinute: number,
  { RATE_LIMIT_ORGANISATION_MULTIPLE }: Pick<Config, 'RATE_LIMIT_ORGANISATION_MULTIPLE'>,
): (credential: Credential) => RateLimitUse {
  const limiter = createRateLimiter(`${name}-organisation`, perMinute * RATE_LIMIT_ORGANISATION_MULTIPLE);
  return ({ organisationId, mode }) => ({ limiter, counts: 'organisation', key: `${organisationId}:${mode}` });
}

function setRateLimitHeaders(response: Response, { counts }: RateLimitUse, result: RateLimitResult): void {
  response.set({
    'RateLimit-Limit': String(result.limit),
    'RateLimit-Remaining': String(result.remaining),
    'RateLimit-Reset': String(result.resetSeconds),
    'RateLimit-Policy': `"${counts}";q=${result.limit};w=${RATE_LIMIT_WINDOW_SECONDS}`,
  });
}

/** What each limit of a request has left: limits are counted in several steps, before and after authentication. */
const countedByResponse = new WeakMap<Response, Map<RateLimitUse, RateLimitResult>>();

/** Describes, of all limits that the request counts against, the one with the fewest requests left. */
function reportRateLimit(response: Response, use: RateLimitUse, result: RateLimitResult): void {
  const counted = countedByResponse.get(response) ?? new Map<RateLimitUse, RateLimitResult>();
  countedByResponse.set(response, counted.set(use, result));
  let tightest = { use, result };
  for (const [each, state] of counted)
    if (state.remaining < tightest.result.remaining) tightest = { use: each, result: state };
  setRateLimitHeaders(response, tightest.use, tightest.result);
}

/** Takes back what a rejected request has counted against the limits of accepted requests. */
export async function refundRateLimits(uses: readonly RateLimitUse[], response: Response): Promise<void> {
  for (const use of uses)
    if (use.onlyIfAccepted === true) reportRateLimit(response, use, await use.limiter.refund(use.key));
}

const rateLimitError = (counts: RateLimitSubject, { limit, resetSeconds }: RateLimitResult): AppError =>
  new AppError(
    'rate_limit_exceeded',
    429,
    `At most ${limit} requests a minute for ${SUBJECT_NAMES[counts]}; try again in ${resetSeconds} s.`,
    { limit: counts, retryAfterSeconds: resetSeconds },
  );

/**
 * Counts a request against its limits, one after another: a request that one limit rejects does not count against the
 * next, so that a key above its limit does not use up that of its organisation.
 * @throws AppError 429 that names the exceeded limit
 */
export async function consumeRateLimits(uses: readonly RateLimitUse[], response: Response): Promise<void> {
  for (const [index, use] of uses.entries()) {
    const result = await use.limiter.consume(use.key);
    if (!result.allowed) {
      await refundRateLimits(uses.slice(0, index), response);
      setRateLimitHeaders(response, use, result);
      throw rateLimitError(use.counts, result);
    }
    reportRateLimit(response, use, result);
  }
}
