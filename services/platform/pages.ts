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
}

/** How a list is counted and read, within one session. */
export interface PageSource<T> {
  count(session: ClientSession): PromiseLike<number>;
  rows(window: PageWindow, session: ClientSession): PromiseLike<T[]>;
}

/**
 * Reads one page and the exact total of one snapshot. A far page is read from the nearer end, so that no page costs
 * more than half the list.
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
    const rows = await source.rows(
      {
        sort: Object.fromEntries(sort.map((field): [string, 1 | -1] => [field, step])),
        skip: fromEnd ? totalCount - skip - limit : skip,
        limit,
      },
      session,
    );
    return { rows: fromEnd ? rows.reverse() : rows, totalCount };
  } finally {
    await session.endSession();
  }
}
