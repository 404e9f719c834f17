import { reverseEntry } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { postAllocation, postPayment } from '../../../domain/business/accounting/postings';
import { fromShareText } from '../../../domain/business/payments/deductions';
import { readOptions } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import { Allocation, Payment } from '../../../models/business/payments/payment';
import type { AllocationRecord, PaymentRecord } from '../../../models/business/payments/payment';
import { onDays, onOptionalDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';

const postRecord = ({ chartOn }: JournalContext, record: PaymentRecord): JournalEntry =>
  postPayment(chartOn(record.date), {
    ...record,
    party: { id: record.partyId, name: record.partyName },
    amount: fromDecimal128(record.amount),
    amountBase: fromDecimal128(record.amountBase),
    realised: fromDecimal128(record.realised),
  });

/** The condition of the payments and refunds of some days. */
export const buildPaymentFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
});

/** The condition of the payments and refunds that were voided on some days. */
export const buildVoidedPaymentFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  voidedOn: onOptionalDays(days),
});

/** Entries of payments, refunds and their voids. */
export async function readPaymentEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession } = context;
  const posted = await Payment.find(buildPaymentFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<PaymentRecord[]>();
  const voided = await Payment.find(buildVoidedPaymentFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<PaymentRecord[]>();
  return [
    ...posted.map((record) => postRecord(context, record)),
    ...voided.map((record) =>
      reverseEntry(postRecord(context, record), {
        id: `payment_void:${record.side}:${record.id}`,
        kind: 'payment_void',
        date: record.voidedOn ?? record.date,
        description: record.partyName,
      }),
    ),
  ];
}

/**
 * Allocations change accounts only by an exchange difference, by paying a receipt before its bill, or by the tax of a
 * deposit.
 */
const CHANGES_ACCOUNTS: object = {
  $or: [{ realised: { $ne: 0 } }, { debitKind: 'receipt' }, { 'depositTaxes.0': { $exists: true } }],
};

/** The condition of the allocations of some days that change accounts. */
export const buildAllocationFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
  ...CHANGES_ACCOUNTS,
});

/** The condition of those allocations that were reversed on some days. */
export const buildReversedAllocationFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  reversedOn: onOptionalDays(days),
  ...CHANGES_ACCOUNTS,
});

/** Entries of allocations and of their reversals. */
export async function readAllocationEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession, chartOn, baseCurrencyCode } = context;
  const posted = await Allocation.find(buildAllocationFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<AllocationRecord[]>();
  const reversed = await Allocation.find(buildReversedAllocationFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<AllocationRecord[]>();
  const itemIds = [...posted, ...reversed].map(({ debitItemId }) => debitItemId);
  const items = await OpenItem.find({ _id: { $in: itemIds } }, { number: 1, partyName: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<Pick<OpenItemRecord, '_id' | 'number' | 'partyName'>[]>();
  const byId = new Map(items.map((item) => [item._id.toHexString(), item]));
  const post = (record: AllocationRecord): JournalEntry => {
    const item = byId.get(record.debitItemId.toHexString());
    return postAllocation(chartOn(record.date), {
      ...record,
      baseCurrencyCode,
      party: { id: record.partyId, name: item?.partyName ?? '' },
      debit: { kind: record.debitKind, id: record.debitId, number: item?.number ?? '' },
      consumed: fromDecimal128(record.amountBase),
      relieved: fromDecimal128(record.settledBase),
      depositTaxes: record.depositTaxes?.map(fromShareText),
    });
  };
  return [
    ...posted.map(post),
    ...reversed.map((record) => {
      const entry = post(record);
      return reverseEntry(entry, {
        id: `allocation_reversal:${record.side}:${record.id}`,
        kind: 'allocation_reversal',
        date: record.reversedOn ?? record.date,
        description: entry.description,
      });
    }),
  ];
}
