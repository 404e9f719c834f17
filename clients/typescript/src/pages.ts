interface Page<T> {
  items: readonly T[];
  nextCursor: string | null;
}

/** Yields the records of all pages; each page is requested after the previous one was consumed. */
export async function* paginate<T>(read: (cursor: { cursor?: string }) => Promise<Page<T>>): AsyncGenerator<T> {
  let cursor: string | null = null;
  do {
    const page: Page<T> = await read(cursor === null ? {} : { cursor });
    yield* page.items;
    cursor = page.nextCursor;
  } while (cursor !== null);
}
