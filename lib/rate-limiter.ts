import mongoose from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';
import type { RateLimiterAbstract } from 'rate-limiter-flexible';

/** State of a client's rate limit, as reported in response headers. */
export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Counts one request for `key`. A rejected request does not extend the window. */
  consume(key: string): Promise<RateLimitResult>;
  /** Takes back one counted request. */
  refund(key: string): Promise<RateLimitResult>;
}

export const RATE_LIMIT_WINDOW_SECONDS = 60;

const toRateLimitResult = (result: RateLimiterRes, limit: number, allowed: boolean): RateLimitResult => ({
  allowed,
  limit,
  remaining: Math.max(0, result.remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
});

const toRateLimiter = (limiter: RateLimiterAbstract, limit: number): RateLimiter => ({
  async consume(key) {
    try {
      return toRateLimitResult(await limiter.consume(key), limit, true);
    } catch (error) {
      if (error instanceof RateLimiterRes) return toRateLimitResult(error, limit, false);
      throw error;
    }
  },
  refund: async (key) => toRateLimitResult(await limiter.reward(key), limit, true),
});

/** Allows `limit` requests per key in 60 seconds of this process, where a limit need not cost a write. */
export const createProcessRateLimiter = (name: string, limit: number): RateLimiter =>
  toRateLimiter(new RateLimiterMemory({ keyPrefix: name, points: limit, duration: RATE_LIMIT_WINDOW_SECONDS }), limit);

/**
 * The collection of rate limit windows. Writes do not wait for the journal or a majority: losing the latest counts in a
 * crash is acceptable, and requests need not wait for the disk.
 */
const windowStore = {
  collection(name: string) {
    const collection = mongoose.connection.collection(name);
    return {
      createIndex: collection.createIndex.bind(collection),
      findOneAndUpdate: (filter: object, update: object, options: object) =>
        collection.findOneAndUpdate(filter, update, { ...options, writeConcern: { w: 1, journal: false } }),
    };
  },
};

/**
 * Allows `limit` requests per key in 60 seconds, counted in MongoDB for all replicas together. While MongoDB does not
 * respond, each process counts on its own.
 */
export function createRateLimiter(name: string, limit: number): RateLimiter {
  const limiter = new RateLimiterMongo({
    storeClient: windowStore,
    tableName: 'rate_limits',
    keyPrefix: name,
    points: limit,
    duration: RATE_LIMIT_WINDOW_SECONDS,
    // A key that has exceeded its limit is rejected without a MongoDB query.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: limit, duration: RATE_LIMIT_WINDOW_SECONDS }),
  });
  return toRateLimiter(limiter, limit);
}
