import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { Decimal } from '../../../domain/business/decimal';
import type { AdjustmentTerms, AdjustmentType } from '../../../domain/business/invoices/adjustments';
import type { DraftAdjustmentInput } from '../../../domain/business/invoices/invoice';
import type { FieldProblem } from '../../../domain/errors';

/** A discount or charge of a line or of the document, as sent. */
export interface AdjustmentInput {
  type: AdjustmentType;
  /** @default "Discount" or "Charge" in the language of the document */
  reason?: string | undefined;
  /** Either this or `amount`. */
  percent?: Decimal | undefined;
  amount?: Decimal | undefined;
}

/** A discount or charge of the document, as sent. */
export interface DocumentAdjustmentInput extends AdjustmentInput {
  /** @default spread over the rates of the lines */
  taxRateId?: number | undefined;
}

/** A discount or charge whose terms are complete. */
export interface PreparedAdjustment {
  terms: AdjustmentTerms;
  reason: string | null;
}

const PROBLEMS = {
  neither: 'needs either percent or amount',
  zero: 'must be greater than 0',
} as const;

/** Checks one discount or charge; null adds the problem. @param field its path, such as `lines[0].adjustments[1]` */
export function prepareAdjustment(
  { type, reason = '', percent, amount }: AdjustmentInput,
  currencyCode: string,
  field: string,
  problems: FieldProblem[],
): PreparedAdjustment | null {
  const value = percent ?? amount;
  const name = percent === undefined ? 'amount' : 'percent';
  const decimals = getCurrencyDecimals(currencyCode);
  if (value === undefined || (percent !== undefined && amount !== undefined))
    problems.push({ field, problem: PROBLEMS.neither });
  else if (!value.gt(0)) problems.push({ field: `${field}.${name}`, problem: PROBLEMS.zero });
  else if (amount !== undefined && amount.decimalPlaces() > decimals)
    problems.push({
      field: `${field}.amount`,
      problem: `must have at most ${decimals} decimals in ${currencyCode}`,
    });
  else return { terms: percent === undefined ? { type, amount: value } : { type, percent }, reason: reason || null };
  return null;
}

/** {@link prepareAdjustment} for all of a line. */
export const prepareLineAdjustments = (
  inputs: readonly AdjustmentInput[],
  currencyCode: string,
  line: string,
  problems: FieldProblem[],
): PreparedAdjustment[] =>
  inputs.flatMap(
    (input, index) => prepareAdjustment(input, currencyCode, `${line}.adjustments[${index}]`, problems) ?? [],
  );

const toText = (value: Decimal | null | undefined): string | null => value?.toFixed() ?? null;
const toDecimal = (text: string | null): Decimal | undefined => (text === null ? undefined : new Decimal(text));

/** The stored form of discounts and charges of a draft. */
export const toDraftAdjustments = (
  inputs: readonly DocumentAdjustmentInput[] | null | undefined,
): DraftAdjustmentInput[] | null =>
  inputs?.map(({ type, reason = '', percent, amount, taxRateId = null }) => ({
    type,
    reason,
    percent: toText(percent),
    amount: toText(amount),
    taxRateId,
  })) ?? null;

/** The input for issuing a draft. */
export const fromDraftAdjustments = (
  stored: readonly DraftAdjustmentInput[] | null | undefined,
): DocumentAdjustmentInput[] | undefined =>
  stored?.map(({ type, reason, percent, amount, taxRateId }) => ({
    type,
    reason,
    percent: toDecimal(percent),
    amount: toDecimal(amount),
    taxRateId: taxRateId ?? undefined,
  }));
