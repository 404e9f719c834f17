import { divideDeduction } from '../../../domain/business/accounting/deduction-postings';
import { divide, divideTotals } from '../../../domain/business/accounting/tax-postings';
import { sumTaxedAmounts } from '../../../domain/business/taxed-amount';
import type { TaxedAmount } from '../../../domain/business/taxed-amount';
import {
  computeCreditedBase,
  computeRestComponents,
  sumBaseTotals,
} from '../../../domain/business/credit-notes/credited-base';
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
  rows: Map<number, BaseAmounts> | undefined;
}

/** Net amount and tax of a row; of a rate of several taxes that is credited completely, also the parts of the tax. */
export type BaseAmounts = TaxedAmount & { components?: Decimal[] };

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

/** The rows of a rate of the invoice, and of what was taken of it, in base currency. */
interface RateRows {
  invoiced: readonly BaseRow[];
  taken: readonly BaseRow[];
}

/** The parts of the tax of the row that completes a rate of several taxes. */
function buildComponents(
  { rate, rows, invoiced, creditedBefore, credited }: DiscountedRate,
  { invoiced: own, taken }: RateRows,
  decimals: number,
): { components?: Decimal[] } {
  const [row] = own;
  const isComplete = creditedBefore.tax.plus(credited.tax).eq(invoiced.tax);
  if (rate.components === undefined || row === undefined || rows.length !== 1 || !isComplete) return {};
  const toTax = ({ baseTax, components }: BaseRow) => ({ tax: baseTax, ...(components && { components }) });
  const components = computeRestComponents(toTax(row), taken.map(toTax), decimals);
  return components === null ? {} : { components };
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
  const ofRate = (rows: readonly BaseRow[], { rate }: DiscountedRate): BaseRow[] =>
    rows.filter((row) => isOfRate(rate, row));
  const amounts = computeCreditedBase(
    rates.map((each) => ({
      ...each,
      invoicedBase: sumBaseRows(ofRate(invoiced, each)),
      postedBase: sumBaseRows(ofRate(credited, each)),
      discountBase: sumBaseRows(ofRate(discounts, each)),
    })),
    new Decimal(document.exchangeRate),
    decimals,
  );
  const rows = rates.flatMap((each, index) => {
    const ownRows = { invoiced: ofRate(invoiced, each), taken: ofRate([...credited, ...discounts], each) };
    const components = buildComponents(each, ownRows, decimals);
    const divided = divideByRow(amounts[index] ?? { net: ZERO, tax: ZERO }, each.rows, calculation, decimals);
    return divided.map(([row, own]): [number, BaseAmounts] => [row, { ...own, ...components }]);
  });
  return { totals: sumBaseTotals(amounts), rows: new Map(rows) };
}
