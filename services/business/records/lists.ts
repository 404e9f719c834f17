import type { ClientSession, Model, QueryFilter } from 'mongoose';
import { lookupToken, queryWords } from '../../../domain/business/search-tokens';
import { NEAR_ROWS, readPageOf } from '../../platform/lists/pages';
import type { Jump, PageOf } from '../../platform/lists/pages';

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

export type ListPage<T> = PageOf<T>;

type Condition = Record<string, unknown>;

/** A text as the part of a regular expression that matches it alone. */
export const escaped = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

const conditionOf = (word: string): Condition => {
  const { token, rest } = lookupToken(word);
  return rest === null ? { tokens: token } : { $and: [{ tokens: token }, { tokens: { $regex: `^${escaped(rest)}` } }] };
};

/** One condition for each word of a search text: it must be a prefix of one of the record's words. */
export const wordConditions = (search: string): Condition[] => queryWords(search).map(conditionOf);

/** Hits counted at first when words are put in order, and at most. */
const FEW_HITS = 2000;
const MOST_HITS = 2_000_000;

/** The index that a condition with a search in it is found by, if it holds every field of it. */
const searchIndex = <T>(model: Model<T>, base: object, sort: readonly string[]): object | null =>
  fittingIndex(model, { ...base, tokens: '' }, sort);

/**
 * Words in the order of their hits. Each is counted only as far as it takes to tell the rarest: a count reads a key a
 * hit, driving a search by the wrong word a document.
 */
async function rarestFirst(
  words: readonly string[],
  count: (word: string, limit: number) => Promise<number>,
): Promise<string[]> {
  for (let limit = FEW_HITS; ; limit *= 10) {
    const counted = await Promise.all(words.map(async (word) => ({ word, hits: await count(word, limit) })));
    if (limit < MOST_HITS && counted.every(({ hits }) => hits === limit)) continue;
    return counted.sort((a, b) => a.hits - b.hits).map(({ word }) => word);
  }
}

/**
 * The condition for a search text, or null when it has no word: every word must be a prefix of one of the record's
 * words. Several words are put in order of their hits, because the index is driven by the first.
 */
async function searchCondition<T>(model: Model<T>, base: QueryFilter<T>, search: string): Promise<Condition | null> {
  const words = queryWords(search);
  if (words.length === 0) return null;
  if (words.length === 1) return conditionOf(words[0] ?? '');
  const hint = hinted(searchIndex(model, base, []));
  const inOrder = await rarestFirst(words, (word, limit) => {
    const filter: QueryFilter<T> = { $and: [base, { tokens: lookupToken(word).token }] };
    return model.countDocuments(filter, { limit, ...hint }).exec();
  });
  return { $and: inOrder.map(conditionOf) };
}

/** Sums kept of a list, by which it is counted and its far pages are found. */
export interface ListSums {
  /** The field whose days the sums are kept by. */
  by: string;
  total: (session: ClientSession) => Promise<number>;
  dayAfter: (skip: number, step: 1 | -1, session: ClientSession) => Promise<{ day: string; skip: number } | null>;
}

/** Finds a far page of a list that is sorted by the days of its sums. */
const jumpBy =
  ({ by, dayAfter }: ListSums) =>
  async (skip: number, step: 1 | -1, session: ClientSession): Promise<Jump | null> => {
    const place = await dayAfter(skip, step, session);
    return place && { bound: { [by]: step === 1 ? { $gte: place.day } : { $lte: place.day } }, skip: place.skip };
  };

/** Fields that a condition holds to one value. */
const heldBy = (condition: object): string[] =>
  Object.entries(condition).flatMap(([field, value]) => (typeof value === 'object' ? [] : field));

/**
 * The index that gives a list in its order: the fields that are held to one value, then those sorted by, and every other
 * field of the condition behind them; null: there is none. Far pages and searches name it, since the planner would first
 * try each index that might do, over a third of the collection, and may take one that finds no word.
 */
function fittingIndex<T>(model: Model<T>, condition: object, sort: readonly string[]): object | null {
  const held = heldBy(condition);
  const fitting = model.schema.indexes().flatMap(([keys, { partialFilterExpression }]) => {
    const fields = Object.keys(keys);
    const place = fields.findIndex((field) => !held.includes(field));
    const sorted = place > 0 && sort.every((field, index) => fields[place + index] === field);
    const whole = Object.keys(condition).every((field) => fields.includes(field));
    return sorted && whole && partialFilterExpression === undefined ? [{ keys, place }] : [];
  });
  fitting.sort((a, b) => b.place - a.place);
  return fitting[0]?.keys ?? null;
}

const hinted = (index: object | null): { hint?: Record<string, 1> } => (index === null ? {} : { hint: { ...index } });

/**
 * Reads one page and the exact total of one snapshot. Ties are broken by id. `R` is what the collection holds, where
 * that is more than the model's own kind of record.
 * @param sums for a list that is kept count of; they hold for `base`, not for a search
 */
export async function readPage<T extends { id: number }, R extends { id: number } = T>(
  model: Model<T>,
  base: QueryFilter<T>,
  query: ListQuery,
  sums?: ListSums,
): Promise<ListPage<R>> {
  const search = query.search === undefined ? null : await searchCondition(model, base, query.search);
  const filter: QueryFilter<T> = search === null ? base : { $and: [base, search] };
  const sort = query.sortBy === 'id' ? ['id'] : [query.sortBy, 'id'];
  const request = { page: query.page, pageSize: query.pageSize, sort, direction: query.sortDir };
  const known = search === null ? sums : undefined;
  const counting = search === null ? null : searchIndex(model, base, []);
  const reading = search === null ? fittingIndex(model, base, sort) : searchIndex(model, base, sort);
  return readPageOf<R>(request, {
    count: (session) => known?.total(session) ?? model.countDocuments(filter, hinted(counting)).session(session).exec(),
    rows: ({ sort: order, skip, limit, bound }, session) =>
      model
        .find(bound === undefined ? filter : { $and: [filter, bound] })
        .setOptions(search !== null || skip > NEAR_ROWS ? hinted(reading) : {})
        .sort(order)
        .skip(skip)
        .limit(limit)
        .session(session)
        .lean<R[]>()
        .exec(),
    counted: search !== null && reading !== null,
    ...(known?.by === query.sortBy ? { jump: jumpBy(known) } : {}),
  });
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

/** A filter over a calendar field; days are `YYYY-MM-DD`, both inclusive. */
export interface DayFilter {
  from?: string | undefined;
  to?: string | undefined;
}

/** The days of a filter as a condition; null where it has none. */
export const daysOf = ({ from, to }: DayFilter): { $gte?: string; $lte?: string } | null =>
  from === undefined && to === undefined
    ? null
    : { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
