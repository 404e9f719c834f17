/** Reads one step ahead, so that the next is fetched while the last is worked on. */
export async function* readAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  let next = steps.next();
  try {
    for (;;) {
      const step = await next;
      if (step.done === true) return;
      next = steps.next();
      // What fails is met where it is awaited.
      next.catch(() => undefined);
      yield step.value;
    }
  } finally {
    await next.catch(() => undefined);
    await steps.return(undefined);
  }
}
