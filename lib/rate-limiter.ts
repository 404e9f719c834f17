import { LRUCache } from 'lru-cache';
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

/** Below this many requests left, each request is counted by itself, so that all processes together allow exactly the limit. */
const COUNTED_SINGLY = 256;
/** A process reserves this share of the further requests, but at most so many. */
const RESERVED_SHARE = 1 / 32;
const MAX_RESERVED = 256;
/** What other processes have left may be used for a reservation for this long. */
const FRESH_MS = 1000;
/** Keys whose reservations a process remembers; a forgotten key only costs one more write. */
const MAX_KEYS = 10_000;

/** Requests of one key that a process has counted in advance. */
interface Reservation {
  unspent: number;
  /** What was left for all processes after the last count. */
  remaining: number;
  countedAt: number;
  endsAt: number;
}

/** How many requests to count at once: one, unless many are left. */
function computeReservation(held: Reservation | undefined, now: number): number {
  if (held === undefined || now - held.countedAt > FRESH_MS) return 1;
  return Math.max(1, Math.min(MAX_RESERVED, Math.floor((held.remaining - COUNTED_SINGLY) * RESERVED_SHARE)));
}

/**
 * Counts several requests with one write while many are left, because a write costs more than most requests. What one
 * process has reserved and does not use is lost to the others until the window ends: at most a 32nd of the limit each.
 */
export function createReservingRateLimiter(limiter: RateLimiterAbstract, limit: number): RateLimiter {
  const counting = toRateLimiter(limiter, limit);
  const reservations = new LRUCache<string, Reservation>({ max: MAX_KEYS });
  // Keys of which a reservation is being counted. Requests that come meanwhile count one by one: if each of them reserved
  // a share, they would use up the limit without having been made.
  const reserving = new Set<string>();
  const countReservation = async (key: string, points: number): Promise<Reservation> => {
    if (points > 1) reserving.add(key);
    try {
      const { remainingPoints, msBeforeNext } = await limiter.consume(key, points);
      const countedAt = performance.now();
      const unspent = points - 1 + (findReservation(key, countedAt)?.unspent ?? 0);
      const counted = { unspent, remaining: remainingPoints, countedAt, endsAt: countedAt + msBeforeNext };
      reservations.set(key, counted);
      return counted;
    } finally {
      if (points > 1) reserving.delete(key);
    }
  };
  const findReservation = (key: string, now: number): Reservation | undefined => {
    const held = reservations.get(key);
    return held !== undefined && now < held.endsAt ? held : undefined;
  };
  const describe = ({ remaining, unspent, endsAt }: Reservation, now: number): RateLimitResult =>
    toRateLimitResult(new RateLimiterRes(remaining + unspent, Math.round(endsAt - now)), limit, true);
  return {
    async consume(key) {
      const now = performance.now();
      const held = findReservation(key, now);
      if (held !== undefined && held.unspent > 0) {
        held.unspent -= 1;
        return describe(held, now);
      }
      try {
        const counted = await countReservation(key, reserving.has(key) ? 1 : computeReservation(held, now));
        return describe(counted, counted.countedAt);
      } catch (error) {
        if (error instanceof RateLimiterRes) return toRateLimitResult(error, limit, false);
        throw error;
      }
    },
    async refund(key) {
      const now = performance.now();
      const held = findReservation(key, now);
      if (held === undefined || held.remaining < COUNTED_SINGLY) return counting.refund(key);
      held.unspent += 1;
      return describe(held, now);
    },
  };
}

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
 * Allows `limit` requests per key in 60 seconds, counted in MongoDB for all replicas together; the last 256 one by one.
 * While MongoDB does not respond, each process counts on its own.
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
  return createReservingRateLimiter(limiter, limit);
}
