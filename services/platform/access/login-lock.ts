import { setTimeout as delay } from 'node:timers/promises';
import { hmacSha256Hex } from '../../../lib/crypto/secrets';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { LoginFailure } from '../../../models/platform/access/login-failure';
import type { LoginFailureRecord } from '../../../models/platform/access/login-failure';
import { normaliseEmail } from './users';
import type { Platform } from '../platform';
import { MINUTE_MS } from '../../../domain/durations';

export const MAX_LOGIN_FAILURES = 5;
export const LOCK_MINUTES = 15;

const LOCK_MS = LOCK_MINUTES * MINUTE_MS;
/** Attempts in excess of the remaining failures wait this long for running attempts to end. */
const SLOT_WAIT_MS = 5000;
const SLOT_POLL_MS = 50;

/** A running attempt. It has reserved one of the remaining failures, which it releases on success and consumes on failure. */
export interface LoginAttempt {
  succeed(): Promise<void>;
  /** @returns whether this failure locked the address. */
  fail(): Promise<boolean>;
}

const hashAddress = (platform: Platform, email: string): string =>
  hmacSha256Hex(platform.config.jwtSecret, `login:${normaliseEmail(email)}`);

type SlotStatus = 'taken' | 'locked' | 'busy';

async function acquireSlot(key: string, now: Date): Promise<SlotStatus> {
  const expiresAt = new Date(now.getTime() + LOCK_MS);
  // Expired locks and counts are reset here, since MongoDB removes expired records only once a minute.
  await LoginFailure.deleteOne({ _id: key, expiresAt: { $lte: now } });
  try {
    await LoginFailure.updateOne(
      { _id: key, lockedUntil: null, spent: { $lt: MAX_LOGIN_FAILURES } },
      { $inc: { spent: 1 }, $set: { expiresAt }, $setOnInsert: { failures: 0 } },
      { upsert: true },
    );
    return 'taken';
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
  }
  const record = await LoginFailure.findById(key).lean<LoginFailureRecord>();
  return record?.lockedUntil == null ? 'busy' : 'locked';
}

/**
 * Begins a login attempt for an email address, known or unknown. The number of concurrent attempts is limited to the
 * remaining failures, so that parallel guesses get no more tries than sequential ones.
 * @returns null while the address is locked; such an attempt is not counted and does not extend the lock
 */
export async function beginLoginAttempt(platform: Platform, email: string): Promise<LoginAttempt | null> {
  const key = hashAddress(platform, email);
  const deadline = Date.now() + SLOT_WAIT_MS;
  let slot = await acquireSlot(key, platform.clock.now());
  while (slot === 'busy' && Date.now() < deadline) {
    await delay(SLOT_POLL_MS);
    slot = await acquireSlot(key, platform.clock.now());
  }
  if (slot !== 'taken') return null;
  return {
    async succeed() {
      await LoginFailure.updateOne(
        { _id: key },
        [{ $set: { spent: { $subtract: ['$spent', { $add: ['$failures', 1] }] }, failures: 0 } }],
        { updatePipeline: true },
      );
    },
    async fail() {
      const until = new Date(platform.clock.now().getTime() + LOCK_MS);
      await LoginFailure.updateOne({ _id: key }, { $inc: { failures: 1 }, $set: { expiresAt: until } });
      const locked = await LoginFailure.updateOne(
        { _id: key, failures: { $gte: MAX_LOGIN_FAILURES }, lockedUntil: null },
        { $set: { lockedUntil: until, expiresAt: until } },
      );
      return locked.modifiedCount > 0;
    },
  };
}

/** Resets the failures and the lock of an address after its account got a new password. */
export async function clearLoginFailures(platform: Platform, email: string): Promise<void> {
  await LoginFailure.deleteOne({ _id: hashAddress(platform, email) });
}
