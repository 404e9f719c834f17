import mongoose from 'mongoose';
import { RateLimiterMemory, RateLimiterMongo, RateLimiterRes } from 'rate-limiter-flexible';

/** What a client learns of its budget. */
export interface RateLimitResult {
  allowed: boolean;
  limit: number;
  remaining: number;
  /** Whole seconds until the window ends. */
  resetSeconds: number;
}

export interface RateLimiter {
  /** Counts one request against `key`. A refused request does not extend the window. */
  consume(key: string): Promise<RateLimitResult>;
}

const WINDOW_SECONDS = 60;

const toRateLimitResult = (result: RateLimiterRes, limit: number, allowed: boolean): RateLimitResult => ({
  allowed,
  limit,
  remaining: Math.max(0, result.remainingPoints),
  resetSeconds: Math.max(1, Math.ceil(result.msBeforeNext / 1000)),
});

/**
 * The collection of windows, written without waiting for a journal or a majority: a request need not wait for the disk
 * because it was counted, and the counts of the last moment before a crash are no loss.
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
 * `limit` requests in 60 seconds a key, counted in MongoDB and so shared by all replicas. When MongoDB does not answer,
 * each process limits by itself.
 */
export function createRateLimiter(name: string, limit: number): RateLimiter {
  const limiter = new RateLimiterMongo({
    storeClient: windowStore,
    tableName: 'rate_limits',
    keyPrefix: name,
    points: limit,
    duration: WINDOW_SECONDS,
    // Once a key is known to be over, this process refuses it without asking MongoDB.
    inMemoryBlockOnConsumed: limit + 1,
    insuranceLimiter: new RateLimiterMemory({ keyPrefix: name, points: limit, duration: WINDOW_SECONDS }),
  });
  return {
    async consume(key) {
      try {
        return toRateLimitResult(await limiter.consume(key), limit, true);
      } catch (error) {
        if (error instanceof RateLimiterRes) return toRateLimitResult(error, limit, false);
        throw error;
      }
    },
  };
}
