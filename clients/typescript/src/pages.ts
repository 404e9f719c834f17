interface Page<T> {
  items: readonly T[];
  nextCursor: string | null;
}

/** The records of all pages, each page asked for when the one before has been used up. */
export async function* pages<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor === null ? {} : { cursor });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
