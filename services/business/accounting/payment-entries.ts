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
import { listReversedTaxes } from '../payments/deposit-taxes';
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

const HAS_DEPOSIT_TAXES: object = { 'depositTaxes.0': { $exists: true } };

/**
 * Allocations change accounts only by an exchange difference, by paying a receipt before its bill, or by the tax of a
 * deposit.
 */
const CHANGES_ACCOUNTS: object[] = [{ realised: { $ne: 0 } }, { debitKind: 'receipt' }];

/** The reversal changes the tax of a deposit as it is stored; in records from before that, by the reverse. */
const REVERSES_DEPOSIT_TAXES: object[] = [
  { 'reversalDepositTaxes.0': { $exists: true } },
  { ...HAS_DEPOSIT_TAXES, reversalDepositTaxes: { $exists: false } },
];

/** The condition of the allocations of some days that change accounts. */
export const buildAllocationFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
  $or: [...CHANGES_ACCOUNTS, HAS_DEPOSIT_TAXES],
});

/** The condition of those allocations that were reversed on some days. */
export const buildReversedAllocationFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  reversedOn: onOptionalDays(days),
  $or: [...CHANGES_ACCOUNTS, ...REVERSES_DEPOSIT_TAXES],
});

/** Entries of allocations and of their reversals. */
export async function readAllocationEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { organisationId, mongoSession, chartOn, baseCurrencyCode } = context;
  const posted = await Allocation.find(buildAllocationFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<AllocationRecord[]>();
  const reversed = await Allocation.find(buildReversedAllocationFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<AllocationRecord[]>();
  const itemIds = [...posted, ...reversed].map(({ debitItemId }) => debitItemId);
  const items = await OpenItem.find({ organisationId, _id: { $in: itemIds } }, { number: 1, partyName: 1 })
    .setOptions(readOptions(mongoSession))
    .lean<Pick<OpenItemRecord, '_id' | 'number' | 'partyName'>[]>();
  const byId = new Map(items.map((item) => [item._id.toHexString(), item]));
  const post = (record: AllocationRecord, depositTaxes = record.depositTaxes?.map(fromShareText)): JournalEntry => {
    const item = byId.get(record.debitItemId.toHexString());
    return postAllocation(chartOn(record.date), {
      ...record,
      baseCurrencyCode,
      party: { id: record.partyId, name: item?.partyName ?? '' },
      debit: { kind: record.debitKind, id: record.debitId, number: item?.number ?? '' },
      consumed: fromDecimal128(record.amountBase),
      relieved: fromDecimal128(record.settledBase),
      depositTaxes,
    });
  };
  return [
    ...posted.map((record) => post(record)),
    ...reversed.map((record) => {
      const entry = post(record, listReversedTaxes(record));
      return reverseEntry(entry, {
        id: `allocation_reversal:${record.side}:${record.id}`,
        kind: 'allocation_reversal',
        date: record.reversedOn ?? record.date,
        description: entry.description,
      });
    }),
  ];
}
