import { postChargeCorrection, postDeduction } from '../../../domain/business/accounting/deduction-postings';
import type { DeductionFacts } from '../../../domain/business/accounting/deduction-postings';
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

/** What the journal needs to know of a deduction. */
export const toDeductionFacts = (record: DeductionRecord, baseDecimals: number): DeductionFacts => ({
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
  depositTaxes: record.depositTaxes?.map(fromShareText),
  decimals: getCurrencyDecimals(record.currencyCode),
  baseDecimals,
  omitsCharges: record.chargesCorrectedOn !== undefined,
});

const postRecord = ({ chartOn, baseDecimals }: JournalContext, record: DeductionRecord): JournalEntry =>
  postDeduction(chartOn(record.date), toDeductionFacts(record, baseDecimals));

/** The counter-entry of a deduction, with its correction if it had one. */
const postReversal = ({ chartOn, baseDecimals }: JournalContext, record: DeductionRecord): JournalEntry => {
  const entry = postDeduction(chartOn(record.date), {
    ...toDeductionFacts(record, baseDecimals),
    depositTaxes: listReversedTaxes(record),
    omitsCharges: record.chargesCorrectedOn === null,
  });
  return reverseEntry(entry, {
    id: `${record.kind}_reversal:${record.side}:${record.id}`,
    kind: 'deduction_reversal',
    date: record.reversedOn ?? record.date,
    description: record.partyName,
  });
};

const postCorrection = ({ chartOn, baseDecimals }: JournalContext, record: DeductionRecord): JournalEntry[] => {
  const facts = toDeductionFacts(record, baseDecimals);
  const entry = postChargeCorrection(chartOn(record.date), facts, record.chargesCorrectedOn ?? record.date);
  return entry === null ? [] : [entry];
};

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

/** The condition of the write-offs that were corrected on some days. */
export const buildCorrectedDeductionFilter = ({ organisationId }: JournalContext, days: Days) => ({
  organisationId,
  chargesCorrectedOn: onOptionalDays(days),
});

/** Entries of discounts for early payment and written-off differences, and of their corrections and reversals. */
export async function readDeductionEntries(context: JournalContext, days: Days): Promise<JournalEntry[]> {
  const { mongoSession } = context;
  const posted = await Deduction.find(buildDeductionFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<DeductionRecord[]>();
  const reversed = await Deduction.find(buildReversedDeductionFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<DeductionRecord[]>();
  const corrected = await Deduction.find(buildCorrectedDeductionFilter(context, days))
    .setOptions(readOptions(mongoSession))
    .lean<DeductionRecord[]>();
  return [
    ...posted.map((record) => postRecord(context, record)),
    ...corrected.flatMap((record) => postCorrection(context, record)),
    ...reversed.map((record) => postReversal(context, record)),
  ];
}
