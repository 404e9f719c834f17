import { roundTo } from '../report';

export interface ScoredPair {
  isMatch: boolean;
  /** 0–100 */
  score: number;
}

export interface MatchAccuracy {
  pairs: number;
  precision: number;
  recall: number;
  f1: number;
  accuracy: number;
}

/** Accuracy of calling pairs matches if they score at least the threshold. */
export function computeMatchAccuracy(pairs: readonly ScoredPair[], threshold: number): MatchAccuracy {
  const count = (isMatch: boolean, above: boolean): number =>
    pairs.filter((pair) => pair.isMatch === isMatch && pair.score >= threshold === above).length;
  const hits = count(true, true);
  const precision = hits / Math.max(1, hits + count(false, true));
  const recall = hits / Math.max(1, hits + count(true, false));
  return {
    pairs: pairs.length,
    precision: roundTo(precision),
    recall: roundTo(recall),
    f1: roundTo((2 * precision * recall) / Math.max(1e-9, precision + recall)),
    accuracy: roundTo((hits + count(false, false)) / Math.max(1, pairs.length)),
  };
}
