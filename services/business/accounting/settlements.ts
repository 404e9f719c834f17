import type { Settlement } from '../../../domain/business/accounting/datev';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation } from '../../../models/business/payments/payment';
import type { AllocationRecord } from '../../../models/business/payments/payment';

const isPayment = ({ kind, document }: JournalEntry): boolean =>
  (kind === 'payment' || kind === 'payment_void') &&
  (document.type === 'receivable_payment' || document.type === 'payable_payment');

/** The day of the payment itself, also of one that is voided. */
const getPaymentDay = ({ date, chartDate }: JournalEntry): string => chartDate ?? date;

type StoredAllocation = Pick<
  AllocationRecord,
  'side' | 'creditId' | 'debitItemId' | 'date' | 'amount' | 'amountBase' | 'reversedOn'
>;

const buildKey = (side: string, paymentId: number, day: string): string => `${side}:${paymentId}:${day}`;

/**
 * What the payments of entries settle on their day. Later allocations are left out, so that every export of a payment says
 * the same.
 */
export async function readSettlements(
  organisationId: string,
  entries: readonly JournalEntry[],
): Promise<(entry: JournalEntry) => Settlement[]> {
  const payments = entries.filter(isPayment);
  if (payments.length === 0) return () => [];
  const allocations = await Allocation.find({
    organisationId,
    date: { $in: [...new Set(payments.map(getPaymentDay))] },
    creditKind: 'payment',
    creditId: { $in: payments.map(({ document }) => document.id) },
  })
    .sort({ id: 1 })
    .lean<StoredAllocation[]>();
  const kept = allocations.filter(({ date, reversedOn }) => reversedOn !== date);
  const items = await OpenItem.find(
    { organisationId, _id: { $in: kept.map(({ debitItemId }) => debitItemId) } },
    { number: 1 },
  ).lean<Pick<OpenItemRecord, '_id' | 'number'>[]>();
  const numbers = new Map(items.map(({ _id, number }) => [_id.toHexString(), number]));
  const byPayment = new Map<string, StoredAllocation[]>();
  for (const allocation of kept) {
    const key = buildKey(allocation.side, allocation.creditId, allocation.date);
    byPayment.set(key, [...(byPayment.get(key) ?? []), allocation]);
  }
  return (entry) => {
    if (!isPayment(entry)) return [];
    const side = entry.document.type === 'receivable_payment' ? 'receivable' : 'payable';
    const own = byPayment.get(buildKey(side, entry.document.id, getPaymentDay(entry))) ?? [];
    return own.flatMap(({ debitItemId, amount, amountBase }) => {
      const number = numbers.get(debitItemId.toHexString());
      return number === undefined ? [] : [{ number, base: fromDecimal128(amountBase), amount: fromDecimal128(amount) }];
    });
  };
}
