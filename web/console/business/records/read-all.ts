/**
 * Reads every page of a list, for a table without pages.
 *
 * @param read reads a page; pages begin with 1
 */
export async function readAll<T>(read: (page: number) => Promise<{ data: T[]; totalCount: number }>): Promise<T[]> {
  const rows: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, totalCount } = await read(page);
    rows.push(...data);
    if (data.length === 0 || rows.length >= totalCount) return rows;
  }
}
