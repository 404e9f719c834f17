import type { ClientSession } from 'mongoose';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Counter } from '../../../models/platform/transactions/counter';

/**
 * The next number of a per-organisation counter, 1 upwards. Allocated outside any transaction, so a failed request
 * leaves a gap; document numbers, which may have none, come from their series instead.
 * @param count how many to reserve; the first of them is returned.
 */
export async function reserveNumber(organisationId: string, name: string, count = 1): Promise<number> {
  const increment = () =>
    Counter.findByIdAndUpdate(
      `${organisationId}.${name}`,
      { $inc: { value: count } },
      { upsert: true, returnDocument: 'after' },
    ).lean();
  try {
    const counter = await increment();
    return (counter?.value ?? count) - count + 1;
  } catch (error) {
    // Two first uses at once: the loser finds the counter made.
    if (!isDuplicateKeyError(error)) throw error;
    const counter = await increment();
    return (counter?.value ?? count) - count + 1;
  }
}

/**
 * {@link reserveNumber} within a transaction, which takes the numbers back when it is aborted: for records whose
 * transactions already follow one another, since two that count at once abort each other.
 */
export async function reserveNumberInTransaction(
  mongoSession: ClientSession,
  organisationId: string,
  name: string,
  count = 1,
): Promise<number> {
  const counter = await Counter.findByIdAndUpdate(
    `${organisationId}.${name}`,
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after', session: mongoSession },
  ).lean();
  return (counter?.value ?? count) - count + 1;
}
