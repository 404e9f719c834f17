import type { FieldProblem } from '../../errors';
import type { Decimal } from '../decimal';

/** VAT category codes of EN 16931 (a subset of UNTDID 5305): standard, zero, exempt, reverse charge and others. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export interface DatedTaxRate {
  id: number;
  /** First day on which the rate applies, `YYYY-MM-DD`; null: no start. */
  validFrom: string | null;
  /** Last day on which the rate applies; null: no end. */
  validTo: string | null;
  /** Id of the rate that replaces this one. */
  successorId: number | null;
}

/** Whether a rate applies on a date, `YYYY-MM-DD`; both ends of its validity are inclusive. */
export const isTaxRateValidOn = (rate: DatedTaxRate, date: string): boolean =>
  (rate.validFrom === null || rate.validFrom <= date) && (rate.validTo === null || date <= rate.validTo);

/**
 * The rate to apply on `date` instead of the requested one: the rate itself, else the first of its successors that is
 * valid on that day. Null if there is none; the caller then rejects the document instead of applying 0 %.
 */
export function findTaxRateOn<T extends DatedTaxRate>(
  rates: ReadonlyMap<number, T>,
  id: number,
  date: string,
): T | null {
  const seen = new Set<number>();
  let rate = rates.get(id);
  while (rate && !seen.has(rate.id)) {
    if (isTaxRateValidOn(rate, date)) return rate;
    seen.add(rate.id);
    rate = rate.successorId === null ? undefined : rates.get(rate.successorId);
  }
  return null;
}

/** The fields of a rate that are validated. `percent` is of the net amount, 0 to 100. */
export interface TaxRateTerms {
  category: TaxCategory;
  percent: Decimal;
  exemptionReason: string | null;
  validFrom: string | null;
  validTo: string | null;
}

/** Categories whose rate is zero by definition: EN 16931 BR-Z-05, BR-E-05, BR-AE-05, BR-IC-05, BR-G-05, BR-O-05. */
const ZERO_RATED_CATEGORIES: ReadonlySet<TaxCategory> = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);
/**
 * Categories that require a reason: BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10; the others must not have one
 * (BR-S-10 …).
 */
const REASON_REQUIRED_CATEGORIES: ReadonlySet<TaxCategory> = new Set(['E', 'AE', 'K', 'G', 'O']);

/** All problems of a rate, without its successor. */
export function validateTaxRate(rate: TaxRateTerms): FieldProblem[] {
  const problems: FieldProblem[] = [];
  if (ZERO_RATED_CATEGORIES.has(rate.category) && !rate.percent.isZero())
    problems.push({ field: 'percent', problem: `must be 0 in category ${rate.category}` });
  if (rate.category === 'S' && rate.percent.isZero())
    problems.push({ field: 'percent', problem: 'must be greater than 0 in category S; category Z is the zero rate' });
  if (REASON_REQUIRED_CATEGORIES.has(rate.category) && rate.exemptionReason === null)
    problems.push({ field: 'exemptionReason', problem: `is required in category ${rate.category}` });
  if (!REASON_REQUIRED_CATEGORIES.has(rate.category) && rate.exemptionReason !== null)
    problems.push({ field: 'exemptionReason', problem: `must be null in category ${rate.category}` });
  if (rate.validFrom !== null && rate.validTo !== null && rate.validTo < rate.validFrom)
    problems.push({ field: 'validTo', problem: `must not be before validFrom, ${rate.validFrom}` });
  return problems;
}

/**
 * The problem with `successorId` as the successor of rate `id`; null if there is none. Successors must not form a
 * cycle.
 * @param rates every stored rate of the company
 */
export function findSuccessorProblem(
  rates: ReadonlyMap<number, DatedTaxRate>,
  id: number | null,
  successorId: number,
): string | null {
  if (!rates.has(successorId)) return 'is not a tax rate of the company';
  const seen = new Set<number>();
  for (let next: number | null = successorId; next !== null && !seen.has(next);) {
    if (next === id) return 'leads back to the rate itself';
    seen.add(next);
    next = rates.get(next)?.successorId ?? null;
  }
  return null;
}
