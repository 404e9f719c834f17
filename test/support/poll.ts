/** Reads every 50 ms until something is found; the time limit of the test ends it. */
export async function pollUntilFound<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}
