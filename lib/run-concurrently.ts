/**
 * Runs `work` for all items, at most `limit` at the same time, in the order of the items. The first failure is thrown
 * once all work in progress has ended; items that were not begun are left out.
 */
export async function runConcurrently<T>(
  items: readonly T[],
  limit: number,
  work: (item: T, index: number) => Promise<void>,
): Promise<void> {
  const remaining = [...items.entries()];
  const worker = async (): Promise<void> => {
    for (let next = remaining.shift(); next !== undefined; next = remaining.shift()) await work(next[1], next[0]);
  };
  const workers = Array.from({ length: limit }, () =>
    worker().catch((error: unknown) => {
      remaining.length = 0;
      throw error;
    }),
  );
  await Promise.allSettled(workers);
  await Promise.all(workers);
}
