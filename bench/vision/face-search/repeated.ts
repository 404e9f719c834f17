import { percentile, roundTo } from '../../report';

/** Runs `count` measurements, `atOnce` concurrently, and returns their results. */
export async function measureConcurrently(
  atOnce: number,
  count: number,
  measure: (run: number) => Promise<number>,
): Promise<number[]> {
  const milliseconds: number[] = [];
  let next = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (next < count) {
        const run = next;
        next += 1;
        milliseconds.push(await measure(run));
      }
    }),
  );
  return milliseconds;
}

/** Median and 95th percentile; `name` is the prefix of both. */
export const toPercentiles = (name: string, milliseconds: readonly number[]): Record<string, number> => ({
  [`${name}P50Ms`]: roundTo(percentile(milliseconds, 0.5), 1),
  [`${name}P95Ms`]: roundTo(percentile(milliseconds, 0.95), 1),
});
