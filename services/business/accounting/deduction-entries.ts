import { postDeduction } from '../../../domain/business/accounting/deduction-postings';
import { findItemDocumentType, reverseEntry } from '../../../domain/business/accounting/journal';
import type { JournalEntry } from '../../../domain/business/accounting/journal';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { fromShareText } from '../../../domain/business/payments/deductions';
import { isCredit } from '../../../domain/business/payments/open-items';
import { readOptions } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Deduction } from '../../../models/business/payments/deduction';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { listReversedTaxes } from '../payments/deposit-taxes';
import { onDays, onOptionalDays } from './journal-context';
import type { Days, JournalContext } from './journal-context';

const postRecord = (
  { chartOn, baseDecimals }: JournalContext,
  record: DeductionRecord,
  depositTaxes = record.depositTaxes?.map(fromShareText),
): JournalEntry =>
  postDeduction(chartOn(record.date), {
    ...record,
    isCredit: isCredit(record.itemKind),
    document: {
      type: findItemDocumentType(record.side, record.itemKind),
      id: record.documentId,
      number: record.documentNumber,
    },
    party: { id: record.partyId, name: record.partyName },
    amount: fromDecimal128(record.amount),
    amountBase: fromDecimal128(record.amountBase),
    taxes: record.taxes.map(fromShareText),
    taxBase: fromDecimal128(record.taxBase),
    depositBase: record.depositBase === undefined ? undefined : fromDecimal128(record.depositBase),
    depositTaxes,
    decimals: getCurrencyDecimals(record.currencyCode),
    baseDecimals,
  });

/** The condition of the deductions that were made on some days. */
export const buildDeductionFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  date: onDays(days),
});

/** The condition of the deductions that were reversed on some days. */
export const buildReversedDeductionFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  reversedOn: onOptionalDays(days),
});

/** Entries of discounts for early payment and written-off differences, and of their reversals. */
export async function readDeductionEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession } = context;
  const posted = await Deduction.find(buildDeductionFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<DeductionRecord[]>();
  const reversed = await Deduction.find(buildReversedDeductionFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<DeductionRecord[]>();
  return [
    ...posted.map((record) => postRecord(context, record)),
    ...reversed.map((record) =>
      reverseEntry(postRecord(context, record, listReversedTaxes(record)), {
        id: `${record.kind}_reversal:${record.side}:${record.id}`,
        kind: 'deduction_reversal',
        date: record.reversedOn ?? record.date,
        description: record.partyName,
      }),
    ),
  ];
}
