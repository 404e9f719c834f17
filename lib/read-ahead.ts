/** Maximum number of steps read ahead: enough to compensate for a slow one. */
const MAX_PENDING_READS = 3;

/** Reads some steps ahead, so that the next ones are fetched while the current one is processed. */
export async function* readAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  const pendingReads: Promise<IteratorResult<T, unknown>>[] = [];
  const requestNext = (): void => {
    const next = steps.next();
    // Rejections are handled where the step is awaited.
    next.catch(() => undefined);
    pendingReads.push(next);
  };
  try {
    for (;;) {
      while (pendingReads.length < MAX_PENDING_READS) requestNext();
      const step = await pendingReads.shift();
      if (step === undefined || step.done === true) return;
      requestNext();
      yield step.value;
    }
  } finally {
    await Promise.allSettled(pendingReads);
    await steps.return(undefined);
  }
}
