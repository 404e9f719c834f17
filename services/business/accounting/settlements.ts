import type { Types } from 'mongoose';
import type { Settlement } from '../../../domain/business/accounting/datev';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';

const isPayment = ({ kind, document }: JournalEntry): boolean =>
  ['payment', 'refund', 'payment_void'].includes(kind) &&
  (document.type === 'receivable_payment' || document.type === 'payable_payment');

/** The day of the payment itself, also of one that is voided. */
const getPaymentDay = ({ date, chartDate }: JournalEntry): string => chartDate ?? date;

/** A part of a payment that settles an open item; for a refund the credit, as a whole. */
interface SettledPart {
  side: LedgerSide;
  paymentId: number;
  day: string;
  itemId: Types.ObjectId;
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
}

interface Selection {
  organisationId: string;
  ids: number[];
  days: string[];
}

/** What payments were allocated on their day; an allocation that was reversed on that day does not count. */
async function readAllocated({ organisationId, ids, days }: Selection): Promise<SettledPart[]> {
  const found = await Allocation.find({
    organisationId,
    date: { $in: days },
    creditKind: 'payment',
    creditId: { $in: ids },
  })
    .sort({ id: 1 })
    .lean<AllocationRecord[]>();
  return found
    .filter(({ date, reversedOn }) => reversedOn !== date)
    .map(({ side, creditId, date, debitItemId, amount, amountBase }) => ({
      side,
      paymentId: creditId,
      day: date,
      itemId: debitItemId,
      amount,
      amountBase,
    }));
}

async function readRefunded({ organisationId, ids, days }: Selection): Promise<SettledPart[]> {
  const found = await Payment.find({ organisationId, date: { $in: days }, type: 'refund', id: { $in: ids } }).lean<
    PaymentRecord[]
  >();
  return found.flatMap(({ side, id, date, creditItemId, amount, amountBase }) =>
    creditItemId === null ? [] : [{ side, paymentId: id, day: date, itemId: creditItemId, amount, amountBase }],
  );
}

async function readNumbers(organisationId: string, parts: readonly SettledPart[]): Promise<Map<string, string>> {
  const items = await OpenItem.find({ organisationId, _id: { $in: parts.map(({ itemId }) => itemId) } }, { number: 1 })
    .lean<Pick<OpenItemRecord, '_id' | 'number'>[]>()
    .exec();
  return new Map(items.map(({ _id, number }) => [_id.toHexString(), number]));
}

const buildKey = (side: LedgerSide, paymentId: number, day: string): string => `${side}:${paymentId}:${day}`;

/**
 * What the payments and refunds of entries settle on their day. Later allocations are left out, so that every export of a
 * payment says the same.
 */
export async function readSettlements(
  organisationId: string,
  entries: readonly JournalEntry[],
): Promise<(entry: JournalEntry) => Settlement[]> {
  const payments = entries.filter(isPayment);
  if (payments.length === 0) return () => [];
  const selection: Selection = {
    organisationId,
    ids: payments.map(({ document }) => document.id),
    days: [...new Set(payments.map(getPaymentDay))],
  };
  const parts = (await Promise.all([readAllocated(selection), readRefunded(selection)])).flat();
  const numbers = await readNumbers(organisationId, parts);
  const byPayment = new Map<string, Settlement[]>();
  for (const { side, paymentId, day, itemId, amount, amountBase } of parts) {
    const number = numbers.get(itemId.toHexString());
    if (number === undefined) continue;
    const key = buildKey(side, paymentId, day);
    const settlement = { number, base: fromDecimal128(amountBase), amount: fromDecimal128(amount) };
    byPayment.set(key, [...(byPayment.get(key) ?? []), settlement]);
  }
  return (entry) => {
    if (!isPayment(entry)) return [];
    const side = entry.document.type === 'receivable_payment' ? 'receivable' : 'payable';
    return byPayment.get(buildKey(side, entry.document.id, getPaymentDay(entry))) ?? [];
  };
}
