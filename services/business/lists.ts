import mongoose from 'mongoose';
import type { ClientSession, Model, QueryFilter } from 'mongoose';
import { lookupToken, queryWords } from '../../domain/business/search-tokens';

/** What every list accepts; the API has checked bounds and names. */
export interface ListQuery {
  /** From 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
  search?: string | undefined;
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

export interface ListPage<T> {
  rows: T[];
  /** Exact. */
  totalCount: number;
}

type Condition = Record<string, unknown>;

const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const conditionOf = (word: string): Condition => {
  const { token, rest } = lookupToken(word);
  return rest === null ? { tokens: token } : { $and: [{ tokens: token }, { tokens: { $regex: `^${escaped(rest)}` } }] };
};

/** Hits beyond this are not counted when words are put in order: by then a word is not the rare one. */
const RARE_HITS = 2000;

/**
 * The condition for a search text, or null when it has no word: every word must be a prefix of one of the record's
 * words. Several words are put in order of their hits, because the index is driven by the first.
 */
async function searchCondition<T>(model: Model<T>, base: QueryFilter<T>, search: string): Promise<Condition | null> {
  const words = queryWords(search);
  if (words.length === 0) return null;
  if (words.length === 1) return conditionOf(words[0] ?? '');
  const counted = await Promise.all(
    words.map(async (word) => {
      const filter: QueryFilter<T> = { $and: [base, { tokens: lookupToken(word).token }] };
      return { word, hits: await model.countDocuments(filter, { limit: RARE_HITS }) };
    }),
  );
  counted.sort((a, b) => a.hits - b.hits);
  return { $and: counted.map(({ word }) => conditionOf(word)) };
}

/**
 * Reads one page and the exact total of one snapshot. Ties are broken by id. A far page is read from the nearer end,
 * so that no page costs more than half the list.
 * @param total gives the total when it is known more cheaply than by counting.
 */
export async function readPage<T extends { id: number }>(
  model: Model<T>,
  base: QueryFilter<T>,
  query: ListQuery,
  total?: (session: ClientSession) => Promise<number>,
): Promise<ListPage<T>> {
  const search = query.search === undefined ? null : await searchCondition(model, base, query.search);
  const filter: QueryFilter<T> = search === null ? base : { $and: [base, search] };
  const session = await mongoose.startSession({ snapshot: true });
  try {
    const totalCount =
      search === null && total ? await total(session) : await model.countDocuments(filter).session(session);
    const skip = (query.page - 1) * query.pageSize;
    const size = Math.min(query.pageSize, totalCount - skip);
    if (size <= 0) return { rows: [], totalCount };
    const fromEnd = skip > totalCount / 2;
    const direction = (query.sortDir === 'asc') === !fromEnd ? 1 : -1;
    const rows = await model
      .find(filter)
      .sort(query.sortBy === 'id' ? { id: direction } : { [query.sortBy]: direction, id: direction })
      .skip(fromEnd ? totalCount - skip - size : skip)
      .limit(size)
      .session(session)
      .lean<T[]>();
    return { rows: fromEnd ? rows.reverse() : rows, totalCount };
  } finally {
    await session.endSession();
  }
}

export interface ActiveFilter {
  /** @default 'true' */
  active: 'true' | 'false' | 'all';
}

/** Lists hide inactive records unless asked. */
export const activeFilter = ({ active }: ActiveFilter): { active?: boolean } =>
  active === 'all' ? {} : { active: active === 'true' };

export interface CreatedFilter {
  createdFrom?: Date | undefined;
  /** Exclusive. */
  createdUntil?: Date | undefined;
}

export function createdBetween({ createdFrom, createdUntil }: CreatedFilter): { createdAt?: Record<string, Date> } {
  const createdAt = {
    ...(createdFrom === undefined ? {} : { $gte: createdFrom }),
    ...(createdUntil === undefined ? {} : { $lt: createdUntil }),
  };
  return Object.keys(createdAt).length === 0 ? {} : { createdAt };
}
