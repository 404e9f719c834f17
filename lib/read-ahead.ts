/** Steps on their way at most: so many that a late one is made up for by those that are there. */
const AHEAD = 3;

/** Reads some steps ahead, so that the next are fetched while the last is worked on. */
export async function* readAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  const asked: Promise<IteratorResult<T, unknown>>[] = [];
  const ask = (): void => {
    const next = steps.next();
    // What fails is met where it is awaited.
    next.catch(() => undefined);
    asked.push(next);
  };
  try {
    for (;;) {
      while (asked.length < AHEAD) ask();
      const step = await asked.shift();
      if (step === undefined || step.done === true) return;
      ask();
      yield step.value;
    }
  } finally {
    await Promise.allSettled(asked);
    await steps.return(undefined);
  }
}
