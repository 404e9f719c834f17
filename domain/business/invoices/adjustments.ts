import { allocateByLargestRemainder, Decimal, round, sum, ZERO } from '../decimal';

/** Discounts (allowances of EN 16931) and charges, of a line or of the whole document. */
export const ADJUSTMENT_TYPES = ['discount', 'charge'] as const;
export type AdjustmentType = (typeof ADJUSTMENT_TYPES)[number];

/** A discount or charge: a percentage from 0 to 100 of what it applies to, or an amount; both are positive. */
export type AdjustmentTerms = { type: AdjustmentType } & ({ percent: Decimal } | { amount: Decimal });

/** A discount or charge of the whole document. */
export interface DocumentAdjustment {
  terms: AdjustmentTerms;
  /** The tax of the discount or charge; null if it is spread over the rates of the lines. */
  tax: { taxKey: string; taxPercent: Decimal } | null;
}

/** The amount of a line after its own discounts and charges, including tax if its unit price does. */
export interface AdjustableAmount {
  taxKey: string;
  taxPercent: Decimal;
  includesTax: boolean;
  payable: Decimal;
}

/** The part of a document's discount or charge at one tax rate. */
export interface AdjustmentShare {
  /** Position of the discount or charge in the request. */
  index: number;
  type: AdjustmentType;
  taxKey: string;
  taxPercent: Decimal;
  includesTax: boolean;
  /** What the percentage applies to; null for an amount. */
  base: Decimal | null;
  /** Positive; includes tax if `includesTax`. */
  amount: Decimal;
}

/** Negative for a discount, positive for a charge. */
export const signAdjustment = (type: AdjustmentType, amount: Decimal): Decimal =>
  type === 'discount' ? amount.neg() : amount;

/** The amount of a discount or charge of a line of `gross`, rounded to `decimals`. */
export const computeLineAdjustment = (terms: AdjustmentTerms, gross: Decimal, decimals: number): Decimal =>
  'amount' in terms ? terms.amount : round(gross.times(terms.percent).div(100), decimals);

type Weight = Omit<AdjustableAmount, 'payable'> & { amount: Decimal };

/** Adds up the amounts that have the same tax key and the same kind of price, in the order of first appearance. */
function sumByTax(amounts: readonly AdjustableAmount[]): Weight[] {
  const groups = new Map<string, Weight>();
  for (const { payable, ...kind } of amounts) {
    const key = `${kind.taxKey}|${kind.includesTax}`;
    groups.set(key, { ...kind, amount: (groups.get(key)?.amount ?? ZERO).plus(payable) });
  }
  return [...groups.values()];
}

/** Divides an amount in proportion to the weights; without any weight, the first gets all of it. */
function spread(amount: Decimal, weights: readonly Weight[], decimals: number): Decimal[] {
  const total = sum(weights.map((weight) => weight.amount));
  if (total.isZero()) return weights.map((_, position) => (position === 0 ? amount : ZERO));
  const ideals = weights.map((weight) => amount.times(weight.amount).div(total));
  return allocateByLargestRemainder(amount, ideals, decimals);
}

/** A percentage applies to each rate; amounts with and without tax are rounded separately. */
function sharePercent(percent: Decimal, weights: readonly Weight[], decimals: number): Decimal[] {
  const ideals = weights.map(({ amount }) => amount.times(percent).div(100));
  const shares = ideals.map(() => ZERO);
  for (const includesTax of [false, true]) {
    const positions = weights.flatMap((weight, position) => (weight.includesTax === includesTax ? [position] : []));
    const own = positions.map((position) => ideals[position] ?? ZERO);
    const rounded = allocateByLargestRemainder(round(sum(own), decimals), own, decimals);
    positions.forEach((position, index) => (shares[position] = rounded[index] ?? ZERO));
  }
  return shares;
}

/** An amount is spread as it is if every price includes tax, else before tax over the net amounts. */
function buildAmountWeights(amounts: readonly AdjustableAmount[]): Weight[] {
  if (amounts.every(({ includesTax }) => includesTax)) return sumByTax(amounts);
  const nets = amounts.map((each) => ({
    ...each,
    includesTax: false,
    payable: each.includesTax ? each.payable.div(each.taxPercent.div(100).plus(1)) : each.payable,
  }));
  return sumByTax(nets);
}

function shareAdjustment(
  { terms, tax }: DocumentAdjustment,
  lines: readonly AdjustableAmount[],
  decimals: number,
): Omit<AdjustmentShare, 'index' | 'type'>[] {
  const taxed = tax === null ? lines : lines.filter(({ taxKey }) => taxKey === tax.taxKey);
  if ('percent' in terms) {
    const weights = sumByTax(taxed);
    const shares = sharePercent(terms.percent, weights, decimals);
    return weights.map(({ amount, ...kind }, index) => ({ ...kind, base: amount, amount: shares[index] ?? ZERO }));
  }
  const includesTax = lines.every((line) => line.includesTax);
  if (tax !== null) return [{ ...tax, includesTax, base: null, amount: terms.amount }];
  const weights = buildAmountWeights(taxed);
  const shares = spread(terms.amount, weights, decimals);
  return weights.map(({ amount: _, ...kind }, index) => ({ ...kind, base: null, amount: shares[index] ?? ZERO }));
}

/**
 * Divides the discounts and charges of a document over the tax rates, without losing a unit of the currency. One with a
 * tax rate of its own applies to the lines of that rate (a percentage) or is taxed at it (an amount); one without is
 * spread over all lines in proportion to their amounts. Percentages apply to the lines alone, never to each other.
 * Amounts include tax only if the prices of all lines do. Shares of zero are omitted.
 */
export const shareAdjustments = (
  adjustments: readonly DocumentAdjustment[],
  lines: readonly AdjustableAmount[],
  decimals: number,
): AdjustmentShare[] =>
  adjustments.flatMap((adjustment, index) =>
    shareAdjustment(adjustment, lines, decimals)
      .filter(({ amount }) => !amount.isZero())
      .map((share) => ({ ...share, index, type: adjustment.terms.type })),
  );

/** The amounts of a line as a document states them. */
interface StatedLine {
  gross: string;
  discount: string;
  adjustments?: readonly { type: AdjustmentType; amount: string }[] | undefined;
}

/** The amount of an issued line after its discounts and charges, including tax if its unit price does. */
export const computeLinePayable = ({ gross, discount, adjustments = [] }: StatedLine): Decimal =>
  Decimal.max(
    sum([
      new Decimal(gross).minus(discount),
      ...adjustments.map(({ type, amount }) => signAdjustment(type, new Decimal(amount))),
    ]),
    ZERO,
  );
