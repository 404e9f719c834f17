import { Decimal, MAX_AMOUNT, round, allocateByLargestRemainder, sum, ZERO } from '../decimal';
import { computeLineAdjustment, shareAdjustments, signAdjustment } from './adjustments';
import type { AdjustmentShare, AdjustmentTerms, DocumentAdjustment } from './adjustments';

/** How tax is rounded: once per rate on the sum of its lines (the default), or on each line. */
export type TaxRounding = 'per_rate' | 'per_line';

export interface CalculationLine {
  quantity: Decimal;
  unitPrice: Decimal;
  /** Percentage from 0 to 100. */
  discountPercent: Decimal;
  /** Whether `unitPrice` contains the tax. */
  priceIncludesTax: boolean;
  /** Lines with the same key share a row of the tax table; they must have the same percentage. */
  taxKey: string;
  taxPercent: Decimal;
  /** Further discounts and charges of the line; a percentage is of quantity × unit price. */
  adjustments?: readonly AdjustmentTerms[] | undefined;
}

export interface CalculatedLine {
  /** Quantity × unit price, rounded to the currency. */
  gross: Decimal;
  /** Gross × discount percent, rounded to the currency. */
  discount: Decimal;
  /** Amounts of `adjustments`, positive. */
  adjustments: Decimal[];
  /** Whether the discounts exceed the line; its amount is then 0. */
  isOverdiscounted: boolean;
  /** Amount before tax, after discounts and charges. */
  net: Decimal;
  /** The line's share of the tax of its rate; the shares add up to the tax table exactly. */
  tax: Decimal;
}

/** A share of a discount or charge of the document, with its share of the tax table; all amounts are positive. */
export interface CalculatedAdjustment extends AdjustmentShare {
  net: Decimal;
  tax: Decimal;
}

export interface CalculatedTax {
  taxKey: string;
  percent: Decimal;
  net: Decimal;
  tax: Decimal;
}

export interface InvoiceCalculation {
  lines: CalculatedLine[];
  /** Discounts and charges of the document, by tax rate. */
  adjustments: CalculatedAdjustment[];
  /** One row per tax key, in the order of first appearance. */
  taxes: CalculatedTax[];
  /** Total before tax. */
  total: Decimal;
  taxTotal: Decimal;
  /** Always `total` + `taxTotal`. */
  grandTotal: Decimal;
}

/** A line, or a share of a discount (negative) or charge of the document. */
interface PricedItem {
  taxKey: string;
  taxPercent: Decimal;
  includesTax: boolean;
  payable: Decimal;
}

interface PricedLine extends PricedItem {
  gross: Decimal;
  discount: Decimal;
  adjustments: Decimal[];
  isOverdiscounted: boolean;
}

const priceLine = (line: CalculationLine, decimals: number): PricedLine => {
  const exact = line.quantity.times(line.unitPrice);
  const gross = round(exact, decimals);
  const discount = round(exact.times(line.discountPercent).div(100), decimals);
  const { taxKey, taxPercent, priceIncludesTax: includesTax, adjustments: terms = [] } = line;
  const adjustments = terms.map((each) => computeLineAdjustment(each, gross, decimals));
  const changes = terms.map(({ type }, index) => signAdjustment(type, adjustments[index] ?? ZERO));
  const amount = gross.minus(discount).plus(sum(changes));
  const payable = Decimal.max(amount, ZERO);
  return {
    taxKey,
    taxPercent,
    includesTax,
    gross,
    discount,
    adjustments,
    isOverdiscounted: amount.isNegative(),
    payable,
  };
};

interface GroupShares {
  nets: Decimal[];
  taxes: Decimal[];
}

/** Prices without tax: tax = round(Σ net × r), or Σ round(net × r) if tax is rounded per line. */
function computeExclusiveShares(
  lines: readonly PricedItem[],
  rate: Decimal,
  decimals: number,
  rounding: TaxRounding,
): GroupShares {
  const nets = lines.map((line) => line.payable);
  const ideals = nets.map((net) => net.times(rate));
  if (rounding === 'per_line') return { nets, taxes: ideals.map((tax) => round(tax, decimals)) };
  return { nets, taxes: allocateByLargestRemainder(round(sum(ideals), decimals), ideals, decimals) };
}

/** Prices with tax: net = round(G ÷ (1 + r)), tax = G − net, with G the sum of the lines, or each line separately. */
function computeInclusiveShares(
  lines: readonly PricedItem[],
  rate: Decimal,
  decimals: number,
  rounding: TaxRounding,
): GroupShares {
  const ideals = lines.map((line) => line.payable.div(rate.plus(1)));
  const nets =
    rounding === 'per_line'
      ? ideals.map((net) => round(net, decimals))
      : allocateByLargestRemainder(
          round(sum(lines.map((line) => line.payable)).div(rate.plus(1)), decimals),
          ideals,
          decimals,
        );
  return { nets, taxes: lines.map((line, position) => line.payable.minus(nets[position] ?? ZERO)) };
}

type Share = { net: Decimal; tax: Decimal };

/** Computes net and tax of every item of one tax key, and the sum of both. */
function computeTaxRow(
  items: readonly PricedItem[],
  shares: Map<PricedItem, Share>,
  taxKey: string,
  decimals: number,
  rounding: TaxRounding,
): CalculatedTax {
  const own = items.filter((item) => item.taxKey === taxKey);
  const percent = own[0]?.taxPercent ?? ZERO;
  const row: CalculatedTax = { taxKey, percent, net: ZERO, tax: ZERO };
  for (const inclusive of [false, true]) {
    const group = own.filter(({ includesTax }) => includesTax === inclusive);
    const compute = inclusive ? computeInclusiveShares : computeExclusiveShares;
    const { nets, taxes } = compute(group, percent.div(100), decimals, rounding);
    group.forEach((item, position) => shares.set(item, { net: nets[position] ?? ZERO, tax: taxes[position] ?? ZERO }));
    row.net = row.net.plus(sum(nets));
    row.tax = row.tax.plus(sum(taxes));
  }
  return row;
}

/**
 * Computes an invoice. Amounts are rounded half away from zero to the currency's `decimals` (0, 2 or 3). Inclusive and
 * exclusive lines of one rate are computed separately and added. 3 × (5 × 6.36) at 21 % carries 20.03 tax per rate and
 * 20.04 per line; 10.05 including 20 % is 8.38 + 1.67. A discount or charge of the document counts as a line of each
 * rate that it applies to, so that the tax of a rate is still rounded once.
 */
export function calculateInvoice(
  lines: readonly CalculationLine[],
  decimals: number,
  rounding: TaxRounding,
  documentAdjustments: readonly DocumentAdjustment[] = [],
): InvoiceCalculation {
  const priced = lines.map((line) => priceLine(line, decimals));
  const shared = shareAdjustments(documentAdjustments, priced, decimals).map((share) => {
    const { taxKey, taxPercent, includesTax, type, amount } = share;
    return { share, item: { taxKey, taxPercent, includesTax, payable: signAdjustment(type, amount) } };
  });
  const items: PricedItem[] = [...priced, ...shared.map(({ item }) => item)];
  const shares = new Map<PricedItem, Share>();
  const taxKeys = new Set(items.map(({ taxKey }) => taxKey));
  const taxes = [...taxKeys].map((taxKey) => computeTaxRow(items, shares, taxKey, decimals, rounding));
  const getShare = (item: PricedItem): Share => shares.get(item) ?? { net: ZERO, tax: ZERO };
  const total = sum(taxes.map((tax) => tax.net));
  const taxTotal = sum(taxes.map((tax) => tax.tax));
  return {
    lines: priced.map((line) => {
      const { gross, discount, adjustments, isOverdiscounted } = line;
      return { gross, discount, adjustments, isOverdiscounted, ...getShare(line) };
    }),
    adjustments: shared.map(({ share, item }) => {
      const { net, tax } = getShare(item);
      return { ...share, net: net.abs(), tax: tax.abs() };
    }),
    taxes,
    total,
    taxTotal,
    grandTotal: total.plus(taxTotal),
  };
}

/** Whether any computed amount exceeds the largest amount that the service stores. */
export const exceedsLimit = (calculation: InvoiceCalculation): boolean =>
  calculation.grandTotal.gt(MAX_AMOUNT) ||
  calculation.lines.some((line) => line.gross.gt(MAX_AMOUNT)) ||
  calculation.adjustments.some(({ amount }) => amount.gt(MAX_AMOUNT));

/** Totals in base currency. Total and tax are converted and rounded separately; the grand total is their sum. */
export interface BaseTotals {
  total: Decimal;
  taxTotal: Decimal;
  grandTotal: Decimal;
}

/** Converts document totals at `rate` (units of base currency per 1 unit of document currency). */
export function convertTotals(
  totals: Pick<InvoiceCalculation, 'total' | 'taxTotal'>,
  rate: Decimal,
  baseDecimals: number,
): BaseTotals {
  const total = round(totals.total.times(rate), baseDecimals);
  const taxTotal = round(totals.taxTotal.times(rate), baseDecimals);
  return { total, taxTotal, grandTotal: total.plus(taxTotal) };
}
