import { Decimal, round, sum, ZERO } from '../decimal';
import { signAdjustment } from '../invoices/adjustments';
import type { AdjustmentType } from '../invoices/adjustments';

/** A discount or charge of the invoice at one tax rate, with what earlier credit notes credited of it. */
export interface CreditableAdjustment {
  adjustmentId: number;
  type: AdjustmentType;
  /** Positive; includes tax if `includesTax`. */
  amount: Decimal;
  includesTax: boolean;
  taxKey: string;
  taxPercent: Decimal;
  credited: Decimal;
}

/** The credited part of a discount or charge; all amounts are positive. */
export interface CreditedAdjustment {
  adjustmentId: number;
  amount: Decimal;
  net: Decimal;
  tax: Decimal;
}

interface LineShare {
  taxKey: string;
  payable: Decimal;
  /** Credited by earlier credit notes and by this one. */
  credited: Decimal;
}

/** The share of an adjustment that is credited once these parts of the lines are: 0 to 1. */
function computeShare(adjustment: CreditableAdjustment, lines: readonly LineShare[]): Decimal {
  const own = lines.filter(({ taxKey }) => taxKey === adjustment.taxKey);
  const ofRate = sum(own.map(({ payable }) => payable));
  // A charge at a rate of its own belongs to all lines.
  const base = ofRate.gt(ZERO) ? own : lines;
  const total = sum(base.map(({ payable }) => payable));
  return total.gt(ZERO) ? sum(base.map(({ credited }) => credited)).div(total) : new Decimal(1);
}

/**
 * Computes the amounts of the document's discounts and charges that are credited together with lines, in proportion to
 * the credited part of the lines that they apply to. Rounded cumulatively, so that crediting all lines credits all of
 * them exactly.
 */
export const computeCreditedAdjustments = (
  adjustments: readonly CreditableAdjustment[],
  lines: readonly LineShare[],
  decimals: number,
): Decimal[] =>
  adjustments.map((adjustment) =>
    round(adjustment.amount.times(computeShare(adjustment, lines)), decimals).minus(adjustment.credited),
  );

/**
 * The id under which an adjustment is calculated as a line: negative, so that it never equals that of a line.
 */
export const toLineId = ({ adjustmentId }: Pick<CreditableAdjustment, 'adjustmentId'>): number => -adjustmentId;

/** An adjustment as a line of one unit, negative for a discount. */
export const toCreditableLine = (adjustment: CreditableAdjustment) => ({
  lineId: toLineId(adjustment),
  quantity: new Decimal(1),
  payable: signAdjustment(adjustment.type, adjustment.amount),
  priceIncludesTax: adjustment.includesTax,
  taxKey: adjustment.taxKey,
  taxPercent: adjustment.taxPercent,
  creditedQuantity: ZERO,
  creditedPayable: signAdjustment(adjustment.type, adjustment.credited),
});
