import { divideDeduction } from '../../../domain/business/accounting/deduction-postings';
import { divide, divideTotals } from '../../../domain/business/accounting/tax-postings';
import { sumTaxedAmounts } from '../../../domain/business/credit-notes/credited-discount';
import type { TaxedAmount } from '../../../domain/business/credit-notes/credited-discount';
import { computeCreditedBase, sumBaseTotals } from '../../../domain/business/credit-notes/credited-base';
import type { CreditNoteCalculation } from '../../../domain/business/credit-notes/credit-note-calculation';
import { Decimal, ZERO } from '../../../domain/business/decimal';
import type { BaseTotals } from '../../../domain/business/invoices/invoice-calculation';
import type { InvoiceSnapshot } from '../../../domain/business/invoices/invoice';
import { fromShareText, isOfRate } from '../../../domain/business/payments/deductions';
import type { CreditNoteRecord } from '../../../models/business/credit-notes/credit-note';
import { fromDecimal128 } from '../../../models/business/decimal128';
import type { DeductionRecord } from '../../../models/business/payments/deduction';
import { toTaxedTotals } from '../payments/document-taxes';
import type { DiscountedRate } from './credited-discounts';

/** A credit note in base currency: its totals, and its rows by position in the tax table of the invoice. */
export interface CreditedBase {
  totals: BaseTotals;
  /** Undefined if the document is in base currency. */
  rows: Map<number, TaxedAmount> | undefined;
}

type BaseRow = ReturnType<typeof divideTotals>[number];

const sumBaseRows = (rows: readonly BaseRow[]): TaxedAmount =>
  sumTaxedAmounts(rows.map(({ baseNet, baseTax }) => ({ net: baseNet, tax: baseTax })));

const divideDiscount = (
  { taxes, amount, amountBase, taxBase }: DeductionRecord,
  { currencyDecimals, baseCurrencyDecimals }: InvoiceSnapshot,
): BaseRow[] =>
  divideDeduction({
    taxes: taxes.map(fromShareText),
    amount: fromDecimal128(amount),
    amountBase: fromDecimal128(amountBase),
    taxBase: fromDecimal128(taxBase),
    decimals: currencyDecimals,
    baseDecimals: baseCurrencyDecimals,
  });

/** Divides the amounts of a rate over its rows. */
function divideByRow(
  amounts: TaxedAmount,
  rows: readonly number[],
  { taxes }: CreditNoteCalculation,
  decimals: number,
): [number, TaxedAmount][] {
  const own = rows.filter((row) => taxes.some(({ taxKey }) => taxKey === String(row)));
  const credited = own.map((row) => taxes.find(({ taxKey }) => taxKey === String(row)) ?? { net: ZERO, tax: ZERO });
  const part = (name: keyof TaxedAmount) =>
    divide(
      amounts[name],
      credited.map((row) => row[name]),
      decimals,
    );
  const [nets, parts] = [part('net'), part('tax')];
  return own.map((row, index) => [row, { net: nets[index] ?? ZERO, tax: parts[index] ?? ZERO }]);
}

/**
 * Converts a credit note to base currency, so that everything that is credited of an invoice, with the discount for early
 * payment, equals at every rate what the invoice posts.
 * @param calculation without the discount that it deducts
 */
export function computeNoteBase(
  document: InvoiceSnapshot,
  earlier: readonly CreditNoteRecord[],
  calculation: CreditNoteCalculation,
  { rates, posted }: { rates: readonly DiscountedRate[]; posted: readonly DeductionRecord[] },
): CreditedBase {
  const { total, taxTotal, grandTotal } = calculation;
  if (document.currencyCode === document.baseCurrencyCode)
    return { totals: { total, taxTotal, grandTotal }, rows: undefined };
  const decimals = document.baseCurrencyDecimals;
  const invoiced = divideTotals(toTaxedTotals(document));
  const credited = earlier.flatMap((note) => divideTotals(toTaxedTotals(note.document)));
  const discounts = posted.flatMap((record) => divideDiscount(record, document));
  const ofRate = (rows: readonly BaseRow[], { rate }: DiscountedRate): TaxedAmount =>
    sumBaseRows(rows.filter((row) => isOfRate(rate, row)));
  const amounts = computeCreditedBase(
    rates.map((each) => ({
      ...each,
      invoicedBase: ofRate(invoiced, each),
      postedBase: ofRate(credited, each),
      discountBase: ofRate(discounts, each),
    })),
    new Decimal(document.exchangeRate),
    decimals,
  );
  const rows = rates.flatMap((each, index) =>
    divideByRow(amounts[index] ?? { net: ZERO, tax: ZERO }, each.rows, calculation, decimals),
  );
  return { totals: sumBaseTotals(amounts), rows: new Map(rows) };
}
