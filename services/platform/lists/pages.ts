import mongoose from 'mongoose';
import type { ClientSession } from 'mongoose';

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

export interface PageOf<T> {
  rows: T[];
  /** Exact. */
  totalCount: number;
}

/** What of a list is read, and in what order. */
export interface PageWindow {
  sort: Record<string, 1 | -1>;
  skip: number;
  limit: number;
  /** A condition beside the list's own. */
  bound?: Record<string, unknown>;
}

/** How a list is counted and read, within one session. */
export interface PageSource<T> {
  count(session: ClientSession): PromiseLike<number>;
  rows(window: PageWindow, session: ClientSession): PromiseLike<T[]>;
  /** Whether counting takes about as long as passing over the rows. @default false */
  counted?: boolean;
  /** Finds by sums where the row after `skip` others lies, in the direction of `step`; null: only skipping finds it. */
  jump?(skip: number, step: 1 | -1, session: ClientSession): PromiseLike<Jump | null>;
}

/** A far place of a list: where to begin, and how many rows from there are still to be passed over. */
export interface Jump {
  bound: Record<string, unknown>;
  skip: number;
}

/** Passing over so many rows of an index takes no longer than finding the place by sums. */
export const NEAR_ROWS = 2000;

/**
 * So many rows are passed over while they are counted; from there on it is better to know first which end is nearer. Of
 * 100,000 rows no page then takes longer than passing over 70,000 or counting all and passing over 30,000.
 */
const MOST_PASSED_BLINDLY = 70_000;

/** Counts a list while its page is found from the front. */
async function readBoth<T>(
  { page, pageSize, sort, direction }: PageRequest,
  source: PageSource<T>,
  session: ClientSession,
): Promise<PageOf<T>> {
  const step = direction === 'asc' ? 1 : -1;
  const order = Object.fromEntries(sort.map((field): [string, 1 | -1] => [field, step]));
  // The session's first read fixes the snapshot for both.
  await source.rows({ sort: order, skip: 0, limit: 1 }, session);
  const [totalCount, rows] = await Promise.all([
    source.count(session),
    source.rows({ sort: order, skip: (page - 1) * pageSize, limit: pageSize }, session),
  ]);
  return { rows, totalCount };
}

/**
 * Reads one page and the exact total of one snapshot. A far page is found by sums where the list has them; else it is
 * read from the nearer end, so that no page costs more than half the list.
 */
export async function readPageOf<T>(request: PageRequest, source: PageSource<T>): Promise<PageOf<T>> {
  const { page, pageSize, sort, direction } = request;
  const skip = (page - 1) * pageSize;
  const session = await mongoose.startSession({ snapshot: true });
  try {
    if (source.counted === true && skip > NEAR_ROWS && skip <= MOST_PASSED_BLINDLY)
      return await readBoth(request, source, session);
    const totalCount = await source.count(session);
    const limit = Math.min(pageSize, totalCount - skip);
    if (limit <= 0) return { rows: [], totalCount };
    const fromEnd = skip > totalCount / 2;
    const step = (direction === 'asc') === !fromEnd ? 1 : -1;
    const before = fromEnd ? totalCount - skip - limit : skip;
    const jump = before > NEAR_ROWS && source.jump ? await source.jump(before, step, session) : null;
    const order = Object.fromEntries(sort.map((field): [string, 1 | -1] => [field, step]));
    const rows = await source.rows({ skip: before, ...jump, sort: order, limit }, session);
    return { rows: fromEnd ? rows.reverse() : rows, totalCount };
  } finally {
    await session.endSession();
  }
}
