/**
 * Keeps the result of `load` for a while, and runs it at most once at a time: many callers cost as much as one.
 * A failure is not kept.
 */
export function cacheResult<T>(keepMs: number, load: () => Promise<T>): () => Promise<T> {
  let kept: { result: Promise<T>; until: number } | null = null;
  return () => {
    if (kept !== null && performance.now() < kept.until) return kept.result;
    const started = { result: load(), until: Infinity };
    kept = started;
    started.result.then(
      () => {
        started.until = performance.now() + keepMs;
      },
      () => {
        if (kept === started) kept = null;
      },
    );
    return started.result;
  };
}
