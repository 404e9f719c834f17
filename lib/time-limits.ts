/** Runs `use` next to a timer that is cleared when it ends, and that keeps no process alive. */
async function withTimer<T>(ms: number, use: (passed: Promise<'passed'>) => Promise<T>): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const passed = new Promise<'passed'>((resolve) => {
    timer = setTimeout(resolve, Math.max(0, ms), 'passed').unref();
  });
  try {
    return await use(passed);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a promise succeeds or fails within `ms`. Resolves as soon as it does, or when the time has passed. */
export const settlesWithin = (promise: Promise<unknown>, ms: number): Promise<boolean> =>
  withTimer(ms, (passed) =>
    Promise.race([
      promise.then(
        () => true,
        () => true,
      ),
      passed.then(() => false),
    ]),
  );

/**
 * Settles as the promise does, or rejects once `ms` have passed. What the promise stands for goes on.
 * @param createError called when the time has passed
 */
export const limitTime = <T>(promise: Promise<T>, ms: number, createError: () => Error): Promise<T> =>
  withTimer(ms, (passed) =>
    Promise.race([
      promise,
      passed.then(() => {
        throw createError();
      }),
    ]),
  );
