import { MINUTE_MS } from '../../../domain/durations';

/** Something in the installation that does not proceed by itself or needs attention, with what to do about it. */
export interface Problem {
  /** What is affected, such as `sessions` or `outbox`. */
  area: string;
  /** What was found, as one sentence without a full stop. */
  summary: string;
  /** Number of affected records. */
  count: number;
  /** Since when the first of them has been affected; null if that is unknown. */
  since: Date | null;
  /** Ids or codes of the first of them. */
  examples: string[];
  /** What the operator does about it. */
  remedy: string;
}

/** Number of examples of a problem. */
export const MAX_EXAMPLES = 5;

/** A problem if there is anything to report, else nothing. */
export const reportIf = (problem: Problem): Problem[] => (problem.count === 0 ? [] : [problem]);

/** Such as `3 h`, with the largest unit that fits. */
export function formatAge(milliseconds: number): string {
  const minutes = Math.floor(milliseconds / MINUTE_MS);
  if (minutes < 1) return `${Math.max(0, Math.round(milliseconds / 1000))} s`;
  if (minutes < 120) return `${minutes} min`;
  return minutes < 2 * 24 * 60 ? `${Math.floor(minutes / 60)} h` : `${Math.floor(minutes / (24 * 60))} d`;
}
