import { MINUTE_MS } from '../../../domain/durations';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Counter } from '../../../models/platform/transactions/counter';
import type { CounterRecord } from '../../../models/platform/transactions/counter';
import type { Platform } from '../platform';

/** Longer than any transaction may take: a number reserved for longer belongs to a process that ended. */
const RESERVATION_MS = 5 * MINUTE_MS;
/** The time of a reservation that was given back. */
const RELEASED = new Date(0);

/** A sequence of numbers without gaps. */
export interface NumberSequence {
  organisationId: string;
  name: string;
  /** Whether a record has a number: the process that created it may have ended before it recorded that. */
  isUsed: (number: number) => Promise<boolean>;
}

const buildCounterId = ({ organisationId, name }: NumberSequence): string => `${organisationId}.${name}`;

const settleNumber = (id: string, number: number) => Counter.updateOne({ _id: id }, { $pull: { pending: { number } } });

const releaseNumber = (id: string, number: number) =>
  Counter.updateOne({ _id: id, 'pending.number': number }, { $set: { 'pending.$.until': RELEASED } });

/** Takes over a number that was given back, or whose process ended; null if there is none. */
async function takeReleasedNumber(platform: Platform, sequence: NumberSequence): Promise<number | null> {
  const id = buildCounterId(sequence);
  for (;;) {
    const now = platform.clock.now();
    const until = new Date(now.getTime() + RESERVATION_MS);
    const counter = await Counter.findOneAndUpdate(
      { _id: id, pending: { $elemMatch: { until: { $lte: now } } } },
      { $set: { 'pending.$.until': until } },
      { returnDocument: 'before' },
    ).lean<CounterRecord>();
    const number = counter?.pending?.find((reservation) => reservation.until <= now)?.number;
    if (number === undefined) return null;
    if (!(await sequence.isUsed(number))) return number;
    await settleNumber(id, number);
  }
}

/** The update that takes the next number and reserves it. */
const buildIncrement = (now: Date) => [
  { $set: { value: { $add: [{ $ifNull: ['$value', 0] }, 1] } } },
  {
    $set: {
      pending: {
        $concatArrays: [
          { $ifNull: ['$pending', []] },
          [{ number: '$value', until: new Date(now.getTime() + RESERVATION_MS) }],
        ],
      },
    },
  },
];

/** Takes the next number with one command; null if a number can be taken over first, or before the first number. */
async function takeNextUnlessReleased(platform: Platform, sequence: NumberSequence): Promise<number | null> {
  const now = platform.clock.now();
  const counter = await Counter.findOneAndUpdate(
    { _id: buildCounterId(sequence), pending: { $not: { $elemMatch: { until: { $lte: now } } } } },
    buildIncrement(now),
    { returnDocument: 'after', updatePipeline: true },
  ).lean<CounterRecord>();
  return counter?.value ?? null;
}

async function takeNextNumber(platform: Platform, sequence: NumberSequence): Promise<number> {
  const increment = () =>
    Counter.findOneAndUpdate({ _id: buildCounterId(sequence) }, buildIncrement(platform.clock.now()), {
      upsert: true,
      returnDocument: 'after',
      updatePipeline: true,
    }).lean<CounterRecord>();
  try {
    return (await increment()).value;
  } catch (error) {
    // Another process has created the counter at the same time.
    if (!isDuplicateKeyError(error)) throw error;
    return (await increment()).value;
  }
}

const takeNumber = async (platform: Platform, sequence: NumberSequence): Promise<number> =>
  (await takeNextUnlessReleased(platform, sequence)) ??
  (await takeReleasedNumber(platform, sequence)) ??
  (await takeNextNumber(platform, sequence));

/**
 * Creates a record with the next number of a sequence. A number whose record was not created is given to the next
 * record. Reservations are outside any transaction, so that concurrent requests never wait for each other, nor for a
 * process that ended.
 */
export async function withReservedNumber<T>(
  platform: Platform,
  sequence: NumberSequence,
  create: (number: number) => Promise<T>,
): Promise<T> {
  const id = buildCounterId(sequence);
  const number = await takeNumber(platform, sequence);
  let created: T;
  try {
    created = await create(number);
  } catch (error) {
    // Without the release the reservation ends by itself.
    await releaseNumber(id, number).catch(() => undefined);
    throw error;
  }
  // The record exists: a failure to say so must not fail the request, and `isUsed` finds out later.
  await settleNumber(id, number).catch(() => undefined);
  return created;
}
