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

/** Reads items in their order, up to `limit` at the same time: the next ones while the caller works on one. */
export async function* prefetch<Item, Value>(
  items: readonly Item[],
  limit: number,
  read: (item: Item) => Promise<Value>,
): AsyncGenerator<{ item: Item; value: Value }> {
  const remaining = [...items];
  const pending: { item: Item; value: Promise<Value> }[] = [];
  try {
    for (;;) {
      for (const item of remaining.splice(0, limit - pending.length)) {
        const value = read(item);
        // Rejections are handled where the value is awaited.
        value.catch(() => undefined);
        pending.push({ item, value });
      }
      const next = pending.shift();
      if (next === undefined) return;
      yield { item: next.item, value: await next.value };
    }
  } finally {
    await Promise.allSettled(pending.map(({ value }) => value));
  }
}
