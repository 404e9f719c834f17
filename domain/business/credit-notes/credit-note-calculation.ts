import { round, allocateByLargestRemainder, sum, ZERO } from '../decimal';
import type { Decimal } from '../decimal';
import type { TaxRounding } from '../invoices/invoice-calculation';
import { signAdjustment } from '../invoices/adjustments';
import { computeCreditedAdjustments, toCreditableLine, toLineId } from './credited-adjustments';
import type { CreditableAdjustment, CreditedAdjustment } from './credited-adjustments';

/** A line of the invoice as issued, with what earlier credit notes credited. */
export interface CreditableLine {
  lineId: number;
  quantity: Decimal;
  /** Gross less discount, including tax if the line's unit price does. */
  payable: Decimal;
  priceIncludesTax: boolean;
  /** Lines with the same key share a row of the tax table. */
  taxKey: string;
  /** Percentage from 0 to 100. */
  taxPercent: Decimal;
  /** Units and amount credited before; the amount includes tax if `payable` does. */
  creditedQuantity: Decimal;
  creditedPayable: Decimal;
}

/**
 * The credited part of a line: units, or an amount that includes tax if the unit price does. Units with an amount are
 * credited at what is left of their price.
 */
export type CreditedPart = { lineId: number } & (
  | { quantity: Decimal }
  | { amount: Decimal }
  | { quantity: Decimal; amount: Decimal }
);

export interface CreditedLine {
  lineId: number;
  quantity: Decimal | null;
  payable: Decimal;
  /** What was credited of the price of the units before; absent: nothing. */
  reduction?: Decimal;
  net: Decimal;
  tax: Decimal;
}

export interface CreditNoteCalculation {
  lines: CreditedLine[];
  /** The credited parts of the document's discounts and charges. */
  adjustments: CreditedAdjustment[];
  taxes: { taxKey: string; percent: Decimal; net: Decimal; tax: Decimal }[];
  total: Decimal;
  taxTotal: Decimal;
  grandTotal: Decimal;
}

/** Amounts that are rounded together. */
interface RoundingGroup {
  taxKey: string;
  inclusive: boolean;
  rate: Decimal;
  lineIds: Set<number>;
}

/** Computes net and tax of an amount of one group as the calculation of the invoice does. */
function computeGroupAmounts(
  payable: Decimal,
  { inclusive, rate }: RoundingGroup,
  decimals: number,
): { net: Decimal; tax: Decimal } {
  if (!inclusive) return { net: payable, tax: round(payable.times(rate), decimals) };
  const net = round(payable.div(rate.plus(1)), decimals);
  return { net, tax: payable.minus(net) };
}

const buildRoundingGroups = (lines: readonly CreditableLine[], rounding: TaxRounding): RoundingGroup[] => {
  const groups = new Map<string, RoundingGroup>();
  for (const line of lines) {
    const key = [line.taxKey, line.priceIncludesTax, rounding === 'per_line' ? line.lineId : ''].join('|');
    const group = groups.get(key) ?? {
      taxKey: line.taxKey,
      inclusive: line.priceIncludesTax,
      rate: line.taxPercent.div(100),
      lineIds: new Set<number>(),
    };
    group.lineIds.add(line.lineId);
    groups.set(key, group);
  }
  return [...groups.values()];
};

/**
 * Computes the amount of a line that crediting `part` credits. Units credit their cumulative share, so that 10.00 for
 * three units is credited as 3.33, 3.34 and 3.33.
 */
export const computePayable = (line: CreditableLine, part: CreditedPart, decimals: number): Decimal =>
  'amount' in part ? part.amount : computeUnits(line, part.quantity, decimals);

/** What further units of a line cost. */
function computeUnits(line: CreditableLine, units: Decimal, decimals: number): Decimal {
  const share = (quantity: Decimal) => round(line.payable.times(quantity).div(line.quantity), decimals);
  return share(line.creditedQuantity.plus(units)).minus(share(line.creditedQuantity));
}

function creditLine(line: CreditableLine, part: CreditedPart, decimals: number): CreditedLine {
  const { lineId } = part;
  const credited = { lineId, payable: computePayable(line, part, decimals), net: ZERO, tax: ZERO };
  if (!('quantity' in part)) return { ...credited, quantity: null };
  const { quantity } = part;
  const reduction = computeUnits(line, quantity, decimals).minus(credited.payable);
  return { ...credited, quantity, ...(reduction.isZero() ? {} : { reduction }) };
}

/** Credits the discounts and charges of the document in proportion to the credited lines. */
function creditAdjustments(
  adjustments: readonly CreditableAdjustment[],
  lines: readonly CreditableLine[],
  credited: readonly CreditedLine[],
  decimals: number,
): CreditedLine[] {
  const shares = lines.map(({ lineId, taxKey, payable, creditedPayable }) => {
    const now = credited.find((line) => line.lineId === lineId)?.payable ?? ZERO;
    return { taxKey, payable, credited: creditedPayable.plus(now) };
  });
  const amounts = computeCreditedAdjustments(adjustments, shares, decimals);
  return adjustments.flatMap((adjustment, index) => {
    const amount = amounts[index] ?? ZERO;
    if (amount.isZero()) return [];
    const payable = signAdjustment(adjustment.type, amount);
    return { lineId: toLineId(adjustment), quantity: null, payable, net: ZERO, tax: ZERO };
  });
}

const toCreditedAdjustment = ({ lineId, payable, net, tax }: CreditedLine): CreditedAdjustment => ({
  adjustmentId: -lineId,
  amount: payable.abs(),
  net: net.abs(),
  tax: tax.abs(),
});

/**
 * Computes a credit note by cumulative rounding: the rounded sum of all credits including this one, less the rounded
 * sum before it. Crediting everything, in any parts, credits exactly the invoice: tax of 20.03 in thirds is 6.68, 6.68
 * and 6.67. Discounts and charges of the document are credited in proportion to the credited lines.
 * @param parts must not exceed what is not credited yet of each line, which callers check before
 */
export function calculateCreditNote(
  lines: readonly CreditableLine[],
  parts: readonly CreditedPart[],
  decimals: number,
  rounding: TaxRounding,
  adjustments: readonly CreditableAdjustment[] = [],
): CreditNoteCalculation {
  const byId = new Map(lines.map((line) => [line.lineId, line]));
  const creditedLines = parts.flatMap((part): CreditedLine[] => {
    const line = byId.get(part.lineId);
    return line === undefined ? [] : [creditLine(line, part, decimals)];
  });
  const creditedAdjustments = creditAdjustments(adjustments, lines, creditedLines, decimals);
  const credited = [...creditedLines, ...creditedAdjustments];
  const rows = creditGroups([...lines, ...adjustments.map(toCreditableLine)], credited, decimals, rounding);
  const total = sum(rows.map((row) => row.net));
  const taxTotal = sum(rows.map((row) => row.tax));
  return {
    lines: creditedLines,
    adjustments: creditedAdjustments.map(toCreditedAdjustment),
    taxes: rows,
    total,
    taxTotal,
    grandTotal: total.plus(taxTotal),
  };
}

/** Computes the rows of the tax table, and distributes their amounts over the credited lines. */
function creditGroups(
  lines: readonly CreditableLine[],
  credited: readonly CreditedLine[],
  decimals: number,
  rounding: TaxRounding,
): CreditNoteCalculation['taxes'] {
  const taxes = new Map<string, CreditNoteCalculation['taxes'][number]>();
  for (const group of buildRoundingGroups(lines, rounding)) {
    const creditedInGroup = credited.filter(({ lineId }) => group.lineIds.has(lineId));
    if (creditedInGroup.length === 0) continue;
    const creditedBefore = sum(
      lines.filter(({ lineId }) => group.lineIds.has(lineId)).map((line) => line.creditedPayable),
    );
    const [previous, cumulative] = [
      creditedBefore,
      creditedBefore.plus(sum(creditedInGroup.map(({ payable }) => payable))),
    ].map((payable) => computeGroupAmounts(payable, group, decimals));
    if (previous === undefined || cumulative === undefined) continue;
    const [net, tax] = [cumulative.net.minus(previous.net), cumulative.tax.minus(previous.tax)];
    distributeAmounts(creditedInGroup, group, net, tax, decimals);
    const row = taxes.get(group.taxKey) ?? {
      taxKey: group.taxKey,
      percent: group.rate.times(100),
      net: ZERO,
      tax: ZERO,
    };
    taxes.set(group.taxKey, { ...row, net: row.net.plus(net), tax: row.tax.plus(tax) });
  }
  return [...taxes.values()];
}

/** Distributes the amounts of each group over its lines; the shares add up exactly. */
function distributeAmounts(
  lines: CreditedLine[],
  group: RoundingGroup,
  net: Decimal,
  tax: Decimal,
  decimals: number,
): void {
  if (group.inclusive) {
    const nets = allocateByLargestRemainder(
      net,
      lines.map(({ payable }) => payable.div(group.rate.plus(1))),
      decimals,
    );
    lines.forEach((line, index) => {
      line.net = nets[index] ?? ZERO;
      line.tax = line.payable.minus(line.net);
    });
    return;
  }
  const shares = allocateByLargestRemainder(
    tax,
    lines.map(({ payable }) => payable.times(group.rate)),
    decimals,
  );
  lines.forEach((line, index) => {
    line.net = line.payable;
    line.tax = shares[index] ?? ZERO;
  });
}
