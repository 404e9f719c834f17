import type { ClientSession } from 'mongoose';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { Counter } from '../../../models/platform/transactions/counter';

/**
 * Reserves the next numbers of a per-organisation counter that starts at 1. The reservation is outside any transaction,
 * so a failed request leaves a gap; postings use {@link reserveNumberInTransaction}.
 * @param count how many numbers to reserve
 * @returns the first reserved number
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
    // Another process has created the counter at the same time.
    if (!isDuplicateKeyError(error)) throw error;
    const counter = await increment();
    return (counter?.value ?? count) - count + 1;
  }
}

/**
 * {@link reserveNumber} within a transaction, which releases the numbers when it aborts. Only for records whose
 * transactions run one after another, since concurrent ones abort each other.
 * @param findLast the last number that was given before the counter existed. @default none
 */
export async function reserveNumberInTransaction(
  mongoSession: ClientSession,
  organisationId: string,
  name: string,
  count = 1,
  findLast?: () => Promise<number>,
): Promise<number> {
  const _id = `${organisationId}.${name}`;
  if (findLast !== undefined && (await Counter.exists({ _id }).session(mongoSession)) === null)
    await Counter.create([{ _id, value: await findLast() }], { session: mongoSession });
  const counter = await Counter.findByIdAndUpdate(
    _id,
    { $inc: { value: count } },
    { upsert: true, returnDocument: 'after', session: mongoSession },
  ).lean();
  return (counter?.value ?? count) - count + 1;
}
