import type { FieldProblem } from '../../errors';
import type { Decimal } from '../decimal';

/** VAT category codes of EN 16931 (subset of UNTDID 5305): standard, zero, exempt, reverse charge and so on. */
export const TAX_CATEGORIES = ['S', 'Z', 'E', 'AE', 'K', 'G', 'O', 'L', 'M'] as const;
export type TaxCategory = (typeof TAX_CATEGORIES)[number];

export interface DatedTaxRate {
  id: number;
  /** First day the rate applies, `YYYY-MM-DD`; null: always did. */
  validFrom: string | null;
  /** Last day the rate applies; null: still does. */
  validTo: string | null;
  /** The rate that follows this one. */
  successorId: number | null;
}

export const isTaxRateValidOn = (rate: DatedTaxRate, date: string): boolean =>
  (rate.validFrom === null || rate.validFrom <= date) && (rate.validTo === null || date <= rate.validTo);

/**
 * The rate to apply on `date` for the one asked for: itself, else the first of its named successors valid that day.
 * Null when there is none; the caller refuses the document rather than applying 0 %.
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

/** What a rate says of itself, before it is stored. `percent` is of the net amount, 0 to 100. */
export interface TaxRateTerms {
  category: TaxCategory;
  percent: Decimal;
  exemptionReason: string | null;
  validFrom: string | null;
  validTo: string | null;
}

/** Categories whose rate is zero by definition: EN 16931 BR-Z-05, BR-E-05, BR-AE-05, BR-IC-05, BR-G-05, BR-O-05. */
const ZERO_RATED_CATEGORIES: ReadonlySet<TaxCategory> = new Set(['Z', 'E', 'AE', 'K', 'G', 'O']);
/** Categories that need a reason: BR-E-10, BR-AE-10, BR-IC-10, BR-G-10, BR-O-10; the others must have none (BR-S-10 …). */
const REASON_REQUIRED_CATEGORIES: ReadonlySet<TaxCategory> = new Set(['E', 'AE', 'K', 'G', 'O']);

/** Everything wrong with a rate by itself. */
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
 * What is wrong with naming `successorId` as the successor of rate `id`; null: nothing. Successors must not lead back.
 * @param rates every rate of the company, as stored.
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
