import { allocateByLargestRemainder, Decimal, round, sum, ZERO } from '../decimal';
import type { TaxComponentAmount } from '../invoices/tax-components';
import type { TaxCategory } from '../settings/tax-rates';
import { findTaxAccounts } from './accounts';
import type { Account, Chart, SelfAssessedTax } from './accounts';
import type { ComponentShare, JournalLine, LineTax } from './journal';

/** Net amount and tax of one rate of a document, in its currency. */
export interface TaxRow {
  category: TaxCategory;
  /** Percentage in its shortest form. */
  percent: string;
  net: Decimal;
  tax: Decimal;
  components?: readonly ComponentShare[];
  /** Both in base currency, if the document fixes them, and the parts of the tax if it fixes these, too. */
  base?: { net: Decimal; tax: Decimal; components?: readonly Decimal[] };
  /** Net amounts that earlier credit notes took back at the rate; the tax for which the buyer is liable is rounded with them. */
  creditedBefore?: { base: Decimal; amount: Decimal };
}

/** The totals of a document; those in base currency are fixed at posting. */
export interface TaxedTotals {
  rows: readonly TaxRow[];
  total: Decimal;
  taxTotal: Decimal;
  baseTotal: Decimal;
  baseTaxTotal: Decimal;
  exchangeRate: Decimal;
  decimals: number;
  baseDecimals: number;
}

/** The components of a row of a document as shares of its tax. */
export const toComponentShares = (
  components: readonly TaxComponentAmount[] | undefined,
): { components?: ComponentShare[] } =>
  components === undefined
    ? {}
    : { components: components.map(({ name, percent, tax }) => ({ name, percent, share: new Decimal(tax) })) };

/**
 * A journal line without a party. Debits are positive; `base` is in the base currency, `amount` in that of the entry.
 */
export const buildLine = (
  account: Account,
  base: Decimal,
  amount: Decimal,
  tax: LineTax | null = null,
): JournalLine => ({
  account,
  base,
  amount,
  party: null,
  tax,
});

/** Marks the lines of a tax row, its net amount and its tax, for the VAT report. */
export function markTax(
  { category, percent, components }: Pick<TaxRow, 'category' | 'percent' | 'components'>,
  direction: LineTax['direction'],
): { net: LineTax; tax: LineTax } {
  const row = { direction, category, percent, ...(components && { components }) };
  return { net: { ...row, part: 'net' }, tax: { ...row, part: 'tax' } };
}

/** Divides a total in proportion to parts; rows without amounts get nothing unless they are all that there is. */
export function divide(total: Decimal, parts: readonly Decimal[], decimals: number): Decimal[] {
  const whole = sum(parts);
  if (whole.isZero()) return parts.map((_, index) => (index === 0 ? total : ZERO));
  return allocateByLargestRemainder(
    total,
    parts.map((part) => part.times(total).div(whole)),
    decimals,
  );
}

/**
 * The parts of a tax of one rate for each of its components; they add up to the tax. Shares that add up to it are its
 * parts, also if one of them is on the other side of zero, as in a credit note that takes back a cent of another.
 */
export const splitByComponents = (components: readonly ComponentShare[], tax: Decimal, decimals: number): Decimal[] => {
  const shares = components.map(({ share }) => share);
  const whole = sum(shares);
  if (!whole.isZero() && whole.abs().eq(tax.abs())) return whole.eq(tax) ? shares : shares.map((share) => share.neg());
  // The parts of a reversed tax are those of the tax, with the other sign.
  const parts = divide(
    tax.abs(),
    shares.map((share) => share.abs()),
    decimals,
  );
  return tax.isNegative() ? parts.map((each) => each.neg()) : parts;
};

interface DividedRow extends TaxRow {
  baseNet: Decimal;
  baseTax: Decimal;
}

/** The components of a row with the parts of its tax that the document fixes. */
const fixComponents = ({ components, base }: TaxRow): Pick<TaxRow, 'components'> =>
  components === undefined
    ? {}
    : { components: components.map((each, index) => ({ ...each, share: base?.components?.[index] ?? each.share })) };

/**
 * The rows with their amounts in base currency, which add up to the totals of the document. They are divided unless the
 * document fixes them, as credit notes do, since all of them together equal the rows of the invoice. A line that is subject to
 * several taxes is in several rows, whose net amounts then exceed the total: they are reduced to their shares of it.
 */
export function divideTotals(totals: TaxedTotals): DividedRow[] {
  const { rows, decimals, baseDecimals } = totals;
  const nets = divide(
    totals.total,
    rows.map(({ net }) => net),
    decimals,
  );
  const baseNets = divide(totals.baseTotal, nets, baseDecimals);
  const baseTaxes = divide(
    totals.baseTaxTotal,
    rows.map(({ tax }) => tax),
    baseDecimals,
  );
  return rows.map((row, index) => ({
    ...row,
    ...fixComponents(row),
    net: nets[index] ?? ZERO,
    baseNet: row.base?.net ?? baseNets[index] ?? ZERO,
    baseTax: row.base?.tax ?? baseTaxes[index] ?? ZERO,
  }));
}

/**
 * Credits revenue and output tax of every rate.
 * @param deposits account of net amounts instead of revenue
 */
export function buildSalesLines(chart: Chart, totals: TaxedTotals, deposits?: Account): JournalLine[] {
  return divideTotals(totals).flatMap((row) => {
    const { net, tax, baseNet, baseTax } = row;
    const accounts = findTaxAccounts(chart, row.category, row.percent);
    const marks = markTax(row, 'output');
    return [
      buildLine(deposits ?? accounts.revenue, baseNet.neg(), net.neg(), marks.net),
      // Tax in a category that should have none is kept visible on the revenue account.
      buildLine(accounts.outputTax ?? deposits ?? accounts.revenue, baseTax.neg(), tax.neg(), marks.tax),
    ];
  });
}

/**
 * Charges and deducts the tax of a net amount for which the buyer is liable; no lines if it is not.
 * @param before net amounts of earlier parts of the document, with which the tax is rounded cumulatively
 */
export function buildChargeLines(
  selfAssessed: SelfAssessedTax | null,
  net: { base: Decimal; amount: Decimal; tax: LineTax },
  { decimals, baseDecimals }: Pick<TaxedTotals, 'decimals' | 'baseDecimals'>,
  before: { base: Decimal; amount: Decimal } = { base: ZERO, amount: ZERO },
): JournalLine[] {
  if (selfAssessed === null) return [];
  const { inputTax, outputTax } = selfAssessed;
  const rate = new Decimal(selfAssessed.percent).div(100);
  const computePart = (own: Decimal, earlier: Decimal, places: number): Decimal =>
    round(earlier.plus(own).times(rate), places).minus(round(earlier.times(rate), places));
  const base = computePart(net.base, before.base, baseDecimals);
  const amount = computePart(net.amount, before.amount, decimals);
  return [buildLine(inputTax, base, amount, net.tax), buildLine(outputTax, base.neg(), amount.neg())];
}

/**
 * Debits purchases and input tax of every rate. Where the buyer is liable for the tax, it is charged and deducted in
 * addition, which adds up to zero.
 */
export function buildPurchaseLines(chart: Chart, totals: TaxedTotals): JournalLine[] {
  return divideTotals(totals).flatMap((row) => {
    const { net, tax, baseNet, baseTax } = row;
    const accounts = findTaxAccounts(chart, row.category, row.percent);
    const { selfAssessed } = accounts;
    const marks = markTax(row, selfAssessed === null ? 'input' : 'self_assessed');
    return [
      buildLine(accounts.purchases, baseNet, net, marks.net),
      buildLine(accounts.inputTax ?? accounts.purchases, baseTax, tax, marks.tax),
      ...buildChargeLines(selfAssessed, { base: baseNet, amount: net, tax: marks.tax }, totals, row.creditedBefore),
    ];
  });
}
