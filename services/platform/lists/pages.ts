import type { ClientSession, Model, QueryFilter } from 'mongoose';
import { readOptions, withMongoSnapshot } from '../../../lib/mongo';

/** Which page of a list, and in what order. */
export interface PageRequest {
  /** From 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
  /** The fields sorted by; together they tell any two records apart. */
  sort: readonly string[];
  direction: 'asc' | 'desc';
}

export interface PageResult<T> {
  rows: T[];
  /** Exact. */
  totalCount: number;
}

/** What of a list is read, and in what order. */
export interface PageWindow {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
  /** A condition in addition to the list's own. */
  bound?: Record<string, unknown>;
}

/** How a list is counted and read, within one session. */
export interface PageSource<T> {
  count(mongoSession: ClientSession): PromiseLike<number>;
  rows(window: PageWindow, mongoSession: ClientSession): PromiseLike<T[]>;
  /** Whether counting takes about as long as passing over the rows. @default false */
  isCountExpensive?: boolean;
  /** Finds by sums where the row after `skip` others lies, in the direction of `step`; null: only skipping finds it. */
  seek?(skip: number, step: 1 | -1, mongoSession: ClientSession): PromiseLike<SeekPosition | null>;
}

/** A far place of a list: where to begin, and how many rows from there are still to be passed over. */
export interface SeekPosition {
  bound: Record<string, unknown>;
  skip: number;
}

/** Passing over so many rows of an index takes no longer than finding the place by sums. */
export const SEEK_THRESHOLD_ROWS = 2000;

/**
 * So many rows are passed over while they are counted; from there on it is better to know first which end is nearer. Of
 * 100,000 rows no page then takes longer than passing over 70,000 or counting all and passing over 30,000.
 */
const MAX_SKIP_WHILE_COUNTING = 70_000;

/** Counts a list while its page is found from the front. */
async function readWithCount<T>(
  { page, pageSize, sort, direction }: PageRequest,
  source: PageSource<T>,
  mongoSession: ClientSession,
): Promise<PageResult<T>> {
  const step = direction === 'asc' ? 1 : -1;
  const order = Object.fromEntries(sort.map((field): [string, 1 | -1] => [field, step]));
  // The session's first read fixes the snapshot for both.
  await source.rows({ sort: order, skip: 0, limit: 1 }, mongoSession);
  const [totalCount, rows] = await Promise.all([
    source.count(mongoSession),
    source.rows({ sort: order, skip: (page - 1) * pageSize, limit: pageSize }, mongoSession),
  ]);
  return { rows, totalCount };
}

/**
 * Reads one page and the exact total of one snapshot. A far page is found by sums where the list has them; else it is
 * read from the nearer end, so that no page costs more than half the list.
 */
export function readSnapshotPage<T>(request: PageRequest, source: PageSource<T>): Promise<PageResult<T>> {
  const { page, pageSize, sort, direction } = request;
  const skip = (page - 1) * pageSize;
  return withMongoSnapshot(async (mongoSession) => {
    if (source.isCountExpensive === true && skip > SEEK_THRESHOLD_ROWS && skip <= MAX_SKIP_WHILE_COUNTING)
      return readWithCount(request, source, mongoSession);
    const totalCount = await source.count(mongoSession);
    const limit = Math.min(pageSize, totalCount - skip);
    if (limit <= 0) return { rows: [], totalCount };
    const fromEnd = skip > totalCount / 2;
    const step = (direction === 'asc') === !fromEnd ? 1 : -1;
    const before = fromEnd ? totalCount - skip - limit : skip;
    const position = before > SEEK_THRESHOLD_ROWS && source.seek ? await source.seek(before, step, mongoSession) : null;
    const order = Object.fromEntries(sort.map((field): [string, 1 | -1] => [field, step]));
    const rows = await source.rows({ skip: before, ...position, sort: order, limit }, mongoSession);
    return { rows: fromEnd ? rows.reverse() : rows, totalCount };
  });
}

/**
 * One page, and the exact total, of the records of a collection that match a condition.
 * @param collation how texts are ordered; an index should have it. @default by code points
 */
export const readMatchingPage = <T>(
  model: Model<T>,
  condition: NoInfer<QueryFilter<T>>,
  request: PageRequest,
  collation?: { locale: string },
): Promise<PageResult<T>> =>
  readSnapshotPage<T>(request, {
    count: (mongoSession) => model.countDocuments(condition).setOptions(readOptions(mongoSession)).exec(),
    rows: ({ sort, skip, limit }, mongoSession) =>
      model
        .find(condition)
        .setOptions(collation === undefined ? {} : { collation })
        .sort(sort)
        .skip(skip)
        .limit(limit)
        .setOptions(readOptions(mongoSession))
        .lean<T[]>()
        .exec(),
  });
