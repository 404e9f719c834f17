import type { Model, ProjectionType, QueryFilter } from 'mongoose';

/** Which page of a list is read. */
export interface CursorPageRequest {
  /** Records per page, 1 to 100. */
  limit: number;
  /** `nextCursor` of the previous page; undefined for the first page. */
  cursor?: string | undefined;
}

export interface CursorPage<T> {
  records: T[];
  /** Number of records of the whole list. */
  total: number;
  /** Cursor of the next page; null if this page is not full. */
  nextCursor: string | null;
}

/** The order of a list, and how a cursor names a position in it. */
export interface CursorOrder<T> {
  /** The sort fields; together they identify a record. */
  sort: Readonly<Record<string, 1 | -1>>;
  /** Condition that selects the records after the cursor. @throws AppError 400 for a malformed cursor */
  buildAfterFilter(cursor: string): QueryFilter<T> | Promise<QueryFilter<T>>;
  /** The cursor of a record. */
  getCursor: (record: T) => string;
}

interface Identified {
  _id: string;
}

/** Newest first: ids increase with the time of creation. The cursor is the id of the last record. */
export const NEWEST_FIRST: CursorOrder<Identified> = {
  sort: { _id: -1 },
  buildAfterFilter: (cursor) => ({ _id: { $lt: cursor } }),
  getCursor: ({ _id }) => _id,
};

/** Oldest first; the cursor is the id of the last record. */
export const OLDEST_FIRST: CursorOrder<Identified> = {
  sort: { _id: 1 },
  buildAfterFilter: (cursor) => ({ _id: { $gt: cursor } }),
  getCursor: ({ _id }) => _id,
};

/** The cursor after `records`: null if they do not fill the page. */
export function getNextCursor<T>(records: readonly T[], limit: number, getCursor: (record: T) => string) {
  const last = records.length < limit ? undefined : records.at(-1);
  return last === undefined ? null : getCursor(last);
}

/** Reads one page of the records that match `filter`, and counts them all. */
export async function readCursorPage<T extends Identified>(
  model: Model<T>,
  filter: NoInfer<QueryFilter<T>>,
  { limit, cursor }: CursorPageRequest,
  { order = NEWEST_FIRST, projection }: { order?: NoInfer<CursorOrder<T>>; projection?: ProjectionType<T> } = {},
): Promise<CursorPage<T>> {
  const pageFilter = cursor === undefined ? filter : { $and: [filter, await order.buildAfterFilter(cursor)] };
  const [records, total] = await Promise.all([
    model
      .find(pageFilter, projection)
      .sort({ ...order.sort })
      .limit(limit)
      .lean<T[]>()
      .exec(),
    model.countDocuments(filter).exec(),
  ]);
  return { records, total, nextCursor: getNextCursor(records, limit, order.getCursor) };
}
