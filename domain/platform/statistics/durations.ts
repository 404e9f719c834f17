/**
 * Durations are counted in ranges whose bounds grow by a constant factor, so that a percentile of any number of them
 * needs few counters. It lies within {@link MAX_RELATIVE_ERROR} of the exact one.
 */
const GROWTH = 1.05;

/** The greatest difference of an estimated percentile from the exact one, as a share of it, for durations of a second or more. */
export const MAX_RELATIVE_ERROR = GROWTH - 1;

/** 1 / ln(growth): a duration of `s` seconds, at least 1, is counted in the range `floor(ln(s) × RANGES_PER_E)`. */
export const RANGES_PER_E = 1 / Math.log(GROWTH);

/** The number of durations within one range. */
export interface DurationCount {
  /** A duration of less than a second belongs to range 0. */
  range: number;
  count: number;
}

/** The middle of a range on the logarithmic scale, in seconds. */
const getMiddle = (range: number): number => GROWTH ** (range + 0.5);

/**
 * Estimates a percentile in seconds.
 * @param share between 0 and 1; 0.5 is the median
 * @returns null without any duration
 */
export function estimatePercentile(counts: readonly DurationCount[], share: number): number | null {
  const total = counts.reduce((sum, { count }) => sum + count, 0);
  if (total === 0) return null;
  // Nearest rank: the smallest duration that at least the share of all does not exceed.
  const rank = Math.max(1, Math.ceil(share * total));
  let passed = 0;
  for (const { range, count } of [...counts].sort((a, b) => a.range - b.range)) {
    passed += count;
    if (passed >= rank) return getMiddle(range);
  }
  return null;
}
