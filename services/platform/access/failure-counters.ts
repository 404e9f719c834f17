import { setTimeout as delay } from 'node:timers/promises';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { LoginFailure } from '../../../models/platform/access/login-failure';
import type { LoginFailureRecord } from '../../../models/platform/access/login-failure';
import { MINUTE_MS, SECOND_MS } from '../../../domain/durations';
import type { FailurePolicy } from '../../../domain/platform/access/sign-in-throttle';

/** Attempts in excess of the remaining failures wait this long for running attempts to end. */
const SLOT_WAIT_MS = 5000;
const SLOT_POLL_MS = 50;
/** A running attempt that has not ended by now was interrupted together with its process. */
const ABANDONED_MS = MINUTE_MS;

/** Failures that count together. */
export interface FailureCounter {
  key: string;
  /** Keyed hash of the email address of the account. */
  account: string;
  policy: FailurePolicy;
}

type Slot = 'taken' | 'busy' | { blockedUntil: Date };

const isBelowLimit = ({ key, policy }: FailureCounter, now: Date) => ({
  _id: key,
  failures: { $lt: policy.limit },
  $or: [{ spent: { $lt: policy.limit } }, { attemptedAt: { $lte: new Date(now.getTime() - ABANDONED_MS) } }],
});

async function takeSlot(counter: FailureCounter, now: Date): Promise<Slot> {
  const { key, policy } = counter;
  const expiresAt = new Date(now.getTime() + policy.memoryMs);
  // Expired counts are reset here, since MongoDB removes expired records only once a minute.
  await LoginFailure.deleteOne({ _id: key, expiresAt: { $lte: now } });
  try {
    await LoginFailure.updateOne(
      isBelowLimit(counter, now),
      {
        $inc: { spent: 1 },
        $set: { attemptedAt: now },
        $setOnInsert: { account: counter.account, failures: 0, expiresAt },
      },
      { upsert: true },
    );
    return 'taken';
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
  }
  const record = await LoginFailure.findById(key).lean<LoginFailureRecord>();
  if (record === null || record.failures < policy.limit) return 'busy';
  if (record.blockedUntil !== null && record.blockedUntil > now) return { blockedUntil: record.blockedUntil };
  // From the limit on, attempts run one at a time, each as if it had failed until it ends.
  const blockedUntil = new Date(now.getTime() + policy.computeDelayMs(record.failures + 1));
  const taken = await LoginFailure.updateOne(
    { _id: key, failures: record.failures, blockedUntil: record.blockedUntil },
    { $inc: { spent: 1 }, $set: { attemptedAt: now, blockedUntil } },
  );
  return taken.modifiedCount === 1 ? 'taken' : 'busy';
}

/**
 * Begins an attempt. The number of concurrent attempts is limited to the remaining failures, so that parallel guesses
 * get no more tries than sequential ones.
 * @returns 0, or the seconds after which the next attempt can begin
 */
export async function beginAttempt(counter: FailureCounter, getNow: () => Date): Promise<number> {
  const deadline = Date.now() + SLOT_WAIT_MS;
  let slot = await takeSlot(counter, getNow());
  while (slot === 'busy' && Date.now() < deadline) {
    await delay(SLOT_POLL_MS);
    slot = await takeSlot(counter, getNow());
  }
  if (slot === 'taken') return 0;
  if (slot === 'busy') return 1;
  return Math.max(1, Math.ceil((slot.blockedUntil.getTime() - getNow().getTime()) / SECOND_MS));
}

/** Ends an attempt with a failure. @returns whether the counter rejects attempts from now on */
export async function failAttempt({ key, policy }: FailureCounter, now: Date): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + policy.memoryMs);
  const firstDelayEnd = new Date(now.getTime() + policy.computeDelayMs(policy.limit));
  const record = await LoginFailure.findOneAndUpdate(
    { _id: key },
    [
      { $set: { failures: { $add: ['$failures', 1] }, expiresAt } },
      // In the same write, so that no attempt begins between the last permitted failure and its delay.
      {
        $set: {
          blockedUntil: {
            $cond: [{ $gte: ['$failures', policy.limit] }, { $max: ['$blockedUntil', firstDelayEnd] }, '$blockedUntil'],
          },
        },
      },
    ],
    { updatePipeline: true, returnDocument: 'after' },
  ).lean<LoginFailureRecord>();
  if (record === null || record.failures < policy.limit) return false;
  const blockedUntil = new Date(now.getTime() + policy.computeDelayMs(record.failures));
  await LoginFailure.updateOne({ _id: key }, { $max: { blockedUntil, expiresAt: blockedUntil } });
  return true;
}

/**
 * Ends an attempt without a failure and forgets earlier failures.
 * @param forgotten number of failures; undefined for all
 * @returns the number of failures before
 */
export async function endAttempt({ key }: FailureCounter, now: Date, forgotten?: number): Promise<number> {
  const left = forgotten === undefined ? 0 : { $max: [0, { $subtract: ['$failures', forgotten] }] };
  const running = { $max: [0, { $subtract: [{ $subtract: ['$spent', '$failures'] }, 1] }] };
  const before = await LoginFailure.findOneAndUpdate(
    { _id: key },
    [
      { $set: { spent: { $add: [running, left] }, failures: left } },
      // An attempt beyond the limit has delayed the next one in advance.
      { $set: { blockedUntil: { $cond: [{ $eq: ['$blockedUntil', null] }, null, now] } } },
    ],
    { updatePipeline: true, returnDocument: 'before' },
  ).lean<LoginFailureRecord>();
  return before?.failures ?? 0;
}

/** Forgets every failure of an account. @returns whether there was one */
export async function clearFailures(account: string): Promise<boolean> {
  const { deletedCount } = await LoginFailure.deleteMany({ account });
  return deletedCount > 0;
}
