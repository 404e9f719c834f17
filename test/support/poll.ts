interface PollOptions {
  /** Pause between two reads. @default 50 */
  everyMs?: number;
  /** After this time the search fails with the message. @default none: the time limit of the test ends it */
  limit?: { ms: number; message: () => string };
}

/** Reads until something is found. */
export async function pollUntilFound<T>(
  read: () => Promise<T | undefined>,
  { everyMs = 50, limit }: PollOptions = {},
): Promise<T> {
  const begun = performance.now();
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    if (limit !== undefined && performance.now() - begun > limit.ms) throw new Error(limit.message());
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
}
