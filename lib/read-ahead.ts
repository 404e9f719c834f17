/** Steps on their way at most: so many that a late one is made up for by those that are there. */
const MAX_PENDING_READS = 3;

/** Reads some steps ahead, so that the next are fetched while the last is worked on. */
export async function* readAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  const pendingReads: Promise<IteratorResult<T, unknown>>[] = [];
  const requestNext = (): void => {
    const next = steps.next();
    // What fails is met where it is awaited.
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
