import type { Decimal } from '../decimal';
import { findTaxAccounts } from './accounts';
import type { Chart } from './accounts';
import type { JournalLine } from './journal';
import { buildLine, divideTotals, markTax } from './tax-postings';
import type { TaxedTotals, TaxRow } from './tax-postings';

/**
 * Credits deposits of customers and, for tax that is not due before the deposit is received, the account of such tax
 * (article 65 of the VAT directive). Nothing belongs to a VAT report yet.
 */
export const buildDepositLines = (chart: Chart, totals: TaxedTotals): JournalLine[] =>
  divideTotals(totals).flatMap(({ net, tax, baseNet, baseTax }) => [
    buildLine(chart.accounts.customer_deposits, baseNet.neg(), net.neg()),
    buildLine(chart.accounts.pending_output_tax, baseTax.neg(), tax.neg()),
  ]);

/**
 * Makes the tax of a deposit due that was settled, in part or completely: moves it to output tax, and names its net amount
 * for the VAT report.
 * @param rows net amounts and taxes in base currency
 * @param toAmount amount in the currency of the entry
 */
export const buildDueDepositTaxLines = (
  chart: Chart,
  rows: readonly TaxRow[],
  toAmount: (base: Decimal) => Decimal,
): JournalLine[] =>
  rows.flatMap((row) => {
    const { net, tax } = row;
    const { customer_deposits: deposits, pending_output_tax: pending } = chart.accounts;
    const marks = markTax(row, 'output');
    const { outputTax } = findTaxAccounts(chart, row.category, row.percent);
    return [
      buildLine(deposits, net, toAmount(net)),
      buildLine(deposits, net.neg(), toAmount(net).neg(), marks.net),
      buildLine(pending, tax, toAmount(tax)),
      buildLine(outputTax ?? deposits, tax.neg(), toAmount(tax).neg(), marks.tax),
    ];
  });
