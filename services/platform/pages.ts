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
 * Reads one page and the exact total of one snapshot. A far page is found by sums where the list has them; else it is
 * read from the nearer end, so that no page costs more than half the list.
 */
export async function readPageOf<T>(
  { page, pageSize, sort, direction }: PageRequest,
  source: PageSource<T>,
): Promise<PageOf<T>> {
  const session = await mongoose.startSession({ snapshot: true });
  try {
    const totalCount = await source.count(session);
    const skip = (page - 1) * pageSize;
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
