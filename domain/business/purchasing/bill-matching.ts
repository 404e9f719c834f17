import { Decimal, round, sum, ZERO } from '../decimal';
import type { InvoiceCalculation } from '../invoices/invoice-calculation';

/** A line of a bill or receipt, in the currency of the document. */
export interface MatchedLine {
  /** Null if the line names no product. */
  productId: number | null;
  quantity: Decimal;
  /** Amount before tax. */
  net: Decimal;
}

const sumQuantities = (lines: readonly MatchedLine[]): Decimal => sum(lines.map(({ quantity }) => quantity));
const sumNets = (lines: readonly MatchedLine[]): Decimal => sum(lines.map(({ net }) => net));

/** Lines of a bill that charge more than was received. */
export interface Overbilling {
  /** Null if no line of the bill names a product, so that all of them are compared with everything received. */
  productId: number | null;
  /** The most that all lines of the product may charge. */
  maxQuantity: Decimal;
}

/**
 * Compares the quantities of a bill with those of its receipts, product by product. A line without a product is a
 * charge such as freight, unless no line names a product.
 * @param isStocked whether a product is kept in stock; services that were not received may be billed
 * @param tolerancePercent percentage by which a bill may exceed the received quantity
 */
export function findOverbilling(
  billed: readonly MatchedLine[],
  received: readonly MatchedLine[],
  isStocked: (productId: number) => boolean,
  tolerancePercent: Decimal,
): Overbilling[] {
  const toMaximum = (lines: readonly MatchedLine[]): Decimal =>
    sumQuantities(lines).times(tolerancePercent.plus(100)).div(100);
  const compare = (productId: number | null, own: readonly MatchedLine[], arrived: readonly MatchedLine[]) => {
    const maxQuantity = toMaximum(arrived);
    return sumQuantities(own).gt(maxQuantity) ? [{ productId, maxQuantity }] : [];
  };
  const productIds = listProductIds(billed);
  if (productIds.length === 0) return compare(null, billed, received);
  return productIds.flatMap((productId) => {
    const arrived = selectProduct(received, productId);
    if (arrived.length === 0 && !isStocked(productId)) return [];
    return compare(productId, selectProduct(billed, productId), arrived);
  });
}

const listProductIds = (lines: readonly MatchedLine[]): number[] => [
  ...new Set(lines.flatMap(({ productId }) => productId ?? [])),
];
const selectProduct = (lines: readonly MatchedLine[], id: number): MatchedLine[] =>
  lines.filter(({ productId }) => productId === id);

/** Parts of the difference between a bill and its receipts, before tax, in base currency. */
export interface BillDifferences {
  /** Other prices, and charges that were not received, such as freight. */
  price: Decimal;
  /** Other quantities, at the price of the receipt. */
  quantity: Decimal;
  /** Another exchange rate than on the days of receipt. */
  exchange: Decimal;
}

/**
 * Divides the difference between a bill and its receipts. The parts add up to it exactly.
 * @param bill its amounts before tax, and the exchange rate of its date
 * @param receipts their amounts before tax; the base amount is at the rates of their dates
 */
export function computeBillDifferences(
  bill: { lines: readonly MatchedLine[]; base: Decimal; exchangeRate: Decimal },
  receipts: { lines: readonly MatchedLine[]; base: Decimal },
  baseDecimals: number,
): BillDifferences {
  const toBase = (amount: Decimal): Decimal => round(amount.times(bill.exchangeRate), baseDecimals);
  const received = toBase(sumNets(receipts.lines));
  const missing = listProductIds(bill.lines).map((productId) => {
    const arrived = selectProduct(receipts.lines, productId);
    const quantity = sumQuantities(arrived);
    if (quantity.isZero()) return ZERO;
    const difference = sumQuantities(selectProduct(bill.lines, productId)).minus(quantity);
    return sumNets(arrived).times(difference).div(quantity);
  });
  const quantity = toBase(sum(missing));
  return { price: bill.base.minus(received).minus(quantity), quantity, exchange: received.minus(receipts.base) };
}

/** The number of smallest currency units by which a vendor's total may always differ from that of the lines. */
const MIN_ROUNDING_UNITS = 5;

/** The largest difference between a vendor's total and that of the lines which counts as rounding. */
export const computeRoundingTolerance = (lineCount: number, decimals: number): Decimal =>
  new Decimal(10).pow(-decimals).times(Math.max(MIN_ROUNDING_UNITS, lineCount));

/** The line with the largest amount, to whose tax rate a rounding difference belongs. */
export function findLargestLineIndex({ lines }: Pick<InvoiceCalculation, 'lines'>): number {
  const largest = Decimal.max(ZERO, ...lines.map(({ net }) => net));
  return lines.findIndex(({ net }) => net.eq(largest));
}

/** Adds a rounding line to a calculation, whose totals are then those of the vendor. */
export function addRoundingLine(
  calculation: InvoiceCalculation,
  taxKey: string,
  { net, tax }: { net: Decimal; tax: Decimal },
): InvoiceCalculation {
  const total = calculation.total.plus(net);
  const taxTotal = calculation.taxTotal.plus(tax);
  return {
    lines: [...calculation.lines, { gross: net, discount: ZERO, adjustments: [], isOverdiscounted: false, net, tax }],
    adjustments: calculation.adjustments,
    taxes: calculation.taxes.map((row) =>
      row.taxKey === taxKey ? { ...row, net: row.net.plus(net), tax: row.tax.plus(tax) } : row,
    ),
    total,
    taxTotal,
    grandTotal: total.plus(taxTotal),
  };
}
