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

export const isValidOn = (rate: DatedTaxRate, date: string): boolean =>
  (rate.validFrom === null || rate.validFrom <= date) && (rate.validTo === null || date <= rate.validTo);

/**
 * The rate to apply on `date` for the one asked for: itself, else the first of its named successors valid that day.
 * Null when there is none; the caller refuses the document rather than applying 0 %.
 */
export function taxRateOn<T extends DatedTaxRate>(rates: ReadonlyMap<number, T>, id: number, date: string): T | null {
  const seen = new Set<number>();
  let rate = rates.get(id);
  while (rate && !seen.has(rate.id)) {
    if (isValidOn(rate, date)) return rate;
    seen.add(rate.id);
    rate = rate.successorId === null ? undefined : rates.get(rate.successorId);
  }
  return null;
}
