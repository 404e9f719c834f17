/**
 * Area under the ROC curve: the probability that a matching pair scores higher than one that does not match. Pairs with the
 * same score share their rank.
 */
export function computeAreaUnderCurve(pairs: readonly { isMatch: boolean; score: number }[]): number {
  const sorted = [...pairs].sort((a, b) => a.score - b.score);
  let ranks = 0;
  for (let start = 0, end = 0; start < sorted.length; start = end) {
    while (end < sorted.length && sorted[end]?.score === sorted[start]?.score) end += 1;
    const matches = sorted.slice(start, end).filter(({ isMatch }) => isMatch).length;
    ranks += (matches * (start + 1 + end)) / 2;
  }
  const positives = pairs.filter(({ isMatch }) => isMatch).length;
  return (ranks - (positives * (positives + 1)) / 2) / (positives * (pairs.length - positives));
}
