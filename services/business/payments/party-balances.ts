import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { conflictError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import { PartyBalance } from '../../../models/business/payments/party-balance';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

export interface Party {
  organisationId: string;
  side: LedgerSide;
  partyId: number;
}

interface LimitedChange {
  raise: Decimal;
  /** The highest balance before the change. */
  headroom: Decimal;
  creditLimit: Decimal;
  document: 'invoice' | 'order';
}

/** Changes the balance of a party, in base currency; a negative change lowers it. */
export const changeBalance = (unit: UnitOfWork, party: Party, change: Decimal): Promise<void> =>
  changeBalances(unit, [{ party, change }]);

/** {@link changeBalance} for several changes; each party is written once, in the order of the keys. */
export async function changeBalances(
  unit: UnitOfWork,
  changes: readonly { party: Party; change: Decimal }[],
): Promise<void> {
  const parties = new Map<string, { filter: Party; change: Decimal; count: number }>();
  for (const { party, change } of changes) {
    const { organisationId, side, partyId } = party;
    const key = `${side}/${partyId}`;
    const existing = parties.get(key) ?? { filter: { organisationId, side, partyId }, change: ZERO, count: 0 };
    parties.set(key, { ...existing, change: existing.change.plus(change), count: existing.count + 1 });
  }
  const writes = [...parties.entries()]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, { filter, change, count }]) => ({
      updateOne: { filter, update: { $inc: { openBase: toDecimal128(change), version: count } }, upsert: true },
    }));
  if (writes.length > 0) await PartyBalance.bulkWrite(writes, { session: unit.mongoSession });
}

/** Writes the balance of a customer if it is at most the headroom. @throws AppError 409 `credit_limit_exceeded` */
async function changeWithin(
  unit: UnitOfWork,
  { organisationId, side, partyId }: Party,
  { raise, headroom, creditLimit, document }: LimitedChange,
): Promise<void> {
  const limitError = conflictError(
    'credit_limit_exceeded',
    `customerId: this ${document} would take the customer above the credit limit of ${creditLimit.toFixed()}.`,
    { fields: [{ field: 'customerId', problem: 'the credit limit would be exceeded' }] },
  );
  await PartyBalance.updateOne(
    { organisationId, side, partyId },
    { $setOnInsert: { openBase: toDecimal128(ZERO), version: 0 } },
    { session: unit.mongoSession, upsert: true },
  );
  const raised = await PartyBalance.updateOne(
    { organisationId, side, partyId, openBase: { $lte: toDecimal128(headroom) } },
    { $inc: { openBase: toDecimal128(raise), version: 1 } },
    { session: unit.mongoSession },
  );
  if (raised.matchedCount === 0) throw limitError;
}

/**
 * Checks that an order of a customer fits in the credit limit together with the open balance; what else was ordered does
 * not count. The write conflicts with a concurrent invoice.
 * @throws AppError 409 `credit_limit_exceeded`
 */
export async function requireCreditFor(
  unit: UnitOfWork,
  party: Party,
  amount: Decimal,
  creditLimit: Decimal,
): Promise<void> {
  if (!amount.gt(0)) return;
  const headroom = creditLimit.minus(amount);
  await changeWithin(unit, party, { raise: ZERO, headroom, creditLimit, document: 'order' });
}

/**
 * Raises the balance of a customer in a write that checks the credit limit, so that two parallel invoices cannot both
 * pass a limit that allows only one. Unapplied credit of the customer counts, so that the balance may be negative before.
 * What leaves nothing to pay, such as an invoice that deposits cover, passes any limit.
 * @param deducted by how much the same transaction lowers the balance again, which does not count towards the limit
 * @throws AppError 409 `credit_limit_exceeded`
 */
export async function raiseWithinLimit(
  unit: UnitOfWork,
  party: Party,
  raise: Decimal,
  creditLimit: Decimal,
  deducted: Decimal = ZERO,
): Promise<void> {
  if (raise.lte(deducted)) return changeBalance(unit, party, raise);
  const headroom = creditLimit.minus(raise).plus(deducted);
  await changeWithin(unit, party, { raise, headroom, creditLimit, document: 'invoice' });
}
