import type { ClientSession, Model, QueryFilter } from 'mongoose';
import { getLookupToken, parseQueryWords } from '../../../domain/business/search-tokens';
import { readOptions } from '../../../lib/mongo';
import { SEEK_THRESHOLD_ROWS, readSnapshotPage } from '../../platform/lists/pages';
import type { SeekPosition, PageResult } from '../../platform/lists/pages';
import { readRowsByName } from './rows-by-name';

/** The request of a list page; the API has validated bounds and field names. */
export interface ListQuery {
  /** From 1. */
  page: number;
  /** 1 to 100. */
  pageSize: number;
  search?: string | undefined;
  sortBy: string;
  sortDir: 'asc' | 'desc';
}

export type ListPage<T> = PageResult<T>;

type Condition = Record<string, unknown>;

/** Escapes a text for use in a regular expression. */
export const escapeRegExp = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** The condition that every word of a search text matches one of the fields, as `toPattern` says. */
function buildFieldSearch(
  search: string | undefined,
  fields: readonly string[],
  toPattern: (word: string) => { $regex: string; $options?: string },
): { $and?: Condition[] } {
  const words = (search ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length === 0) return {};
  return { $and: words.map((word) => ({ $or: fields.map((field) => ({ [field]: toPattern(word) })) })) };
}

/** The condition that every word of a search text occurs in one of the fields, in lower or upper case. */
export const buildOccurrenceSearch = (search: string | undefined, fields: readonly string[]): { $and?: Condition[] } =>
  buildFieldSearch(search, fields, (word) => ({ $regex: escapeRegExp(word), $options: 'i' }));

/** The condition that one of the fields begins with every word of a search text. */
export const buildPrefixSearch = (search: string | undefined, fields: readonly string[]): { $and?: Condition[] } =>
  buildFieldSearch(search, fields, (word) => ({ $regex: `^${escapeRegExp(word)}` }));

const buildWordCondition = (word: string): Condition => {
  const { token, rest } = getLookupToken(word);
  return rest === null
    ? { tokens: token }
    : { $and: [{ tokens: token }, { tokens: { $regex: `^${escapeRegExp(rest)}` } }] };
};

/** One condition for each word of a search text, which must be a prefix of a word of the record. */
export const buildWordConditions = (search: string): Condition[] => parseQueryWords(search).map(buildWordCondition);

/** Initial and maximum number of hits counted when words are sorted by rarity. */
const INITIAL_HIT_LIMIT = 2000;
const MAX_HIT_LIMIT = 2_000_000;

/** The index for a condition with a search, if one contains all of its fields. */
const findSearchIndex = <T>(model: Model<T>, base: object, sort: readonly string[]): object | null =>
  findFittingIndex(model, { ...base, tokens: '' }, sort);

/**
 * Sorts words by their number of hits. Each is counted only until the rarest word is known. Counting reads one index
 * key per hit, whereas a search that starts with the wrong word reads one document per hit.
 */
async function sortByRarity(
  words: readonly string[],
  count: (word: string, limit: number) => Promise<number>,
): Promise<string[]> {
  for (let limit = INITIAL_HIT_LIMIT; ; limit *= 10) {
    const counted = await Promise.all(words.map(async (word) => ({ word, hits: await count(word, limit) })));
    if (limit < MAX_HIT_LIMIT && counted.every(({ hits }) => hits === limit)) continue;
    return counted.sort((a, b) => a.hits - b.hits).map(({ word }) => word);
  }
}

/**
 * The condition for a search text, or null if it has no words: every word must be a prefix of a word of the record.
 * Several words are sorted by their number of hits, because the index is scanned by the first.
 */
async function buildSearchCondition<T>(
  model: Model<T>,
  base: QueryFilter<T>,
  search: string,
): Promise<Condition | null> {
  const words = parseQueryWords(search);
  if (words.length === 0) return null;
  if (words.length === 1) return buildWordCondition(words[0] ?? '');
  const hint = buildHint(findSearchIndex(model, base, []));
  const inOrder = await sortByRarity(words, (word, limit) => {
    const filter: QueryFilter<T> = { $and: [base, { tokens: getLookupToken(word).token }] };
    return model.countDocuments(filter, { limit, ...hint }).exec();
  });
  return { $and: inOrder.map(buildWordCondition) };
}

/** `base`, limited to the records that match a search text. */
export async function buildSearchFilter<T>(
  model: Model<T>,
  base: QueryFilter<T>,
  search: string | undefined,
): Promise<QueryFilter<T>> {
  const condition = search === undefined ? null : await buildSearchCondition(model, base, search);
  return condition === null ? base : { $and: [base, condition] };
}

/** Precomputed totals of a list, for its count and for finding far pages. */
export interface ListSums {
  /** The date field by which the totals are grouped. */
  by: string;
  total: (mongoSession: ClientSession) => Promise<number>;
  dayAfter: (skip: number, step: 1 | -1, mongoSession: ClientSession) => Promise<{ day: string; skip: number } | null>;
}

/** Finds a far page of a list that is sorted by the date field of its totals. */
const buildJump =
  ({ by, dayAfter }: ListSums) =>
  async (skip: number, step: 1 | -1, mongoSession: ClientSession): Promise<SeekPosition | null> => {
    const position = await dayAfter(skip, step, mongoSession);
    return (
      position && { bound: { [by]: step === 1 ? { $gte: position.day } : { $lte: position.day } }, skip: position.skip }
    );
  };

/** The fields that a condition compares with a single value. */
const listEqualityFields = (condition: object): string[] =>
  Object.entries(condition).flatMap(([field, value]) => (typeof value === 'object' ? [] : field));

/**
 * The index that returns a list in its order: fields compared with a single value, then sort fields, then the other
 * fields of the condition; null if there is none. Far pages and searches use it as a hint, because the query planner
 * would first try every candidate index on up to a third of the collection, and could choose one without the search
 * words.
 */
function findFittingIndex<T>(model: Model<T>, condition: object, sort: readonly string[]): object | null {
  const equalityFields = listEqualityFields(condition);
  const candidates = model.schema.indexes().flatMap(([keys, { partialFilterExpression, collation }]) => {
    if (collation !== undefined) return [];
    const fields = Object.keys(keys);
    const position = fields.findIndex((field) => !equalityFields.includes(field));
    const sorted = position > 0 && sort.every((field, index) => fields[position + index] === field);
    const coversCondition = Object.keys(condition).every((field) => fields.includes(field));
    return sorted && coversCondition && partialFilterExpression === undefined ? [{ keys, place: position }] : [];
  });
  candidates.sort((a, b) => b.place - a.place);
  return candidates[0]?.keys ?? null;
}

const buildHint = (index: object | null): { hint?: Record<string, 1> } =>
  index === null ? {} : { hint: { ...index } };

/**
 * Reads one page and the exact total in one snapshot. Ties are broken by id. `R` is the type of the stored records if
 * it is wider than that of the model.
 * @param sums precomputed totals of `base`; not used for a search
 */
export async function readPage<T extends { id: number }, R extends { id: number } = T>(
  model: Model<T>,
  base: QueryFilter<T>,
  query: ListQuery,
  sums?: ListSums,
): Promise<ListPage<R>> {
  const search = query.search === undefined ? null : await buildSearchCondition(model, base, query.search);
  const filter: QueryFilter<T> = search === null ? base : { $and: [base, search] };
  const sort = query.sortBy === 'id' ? ['id'] : [query.sortBy, 'id'];
  const request = { page: query.page, pageSize: query.pageSize, sort, direction: query.sortDir };
  const applicableSums = search === null ? sums : undefined;
  const countIndex = search === null ? null : findSearchIndex(model, base, []);
  const readIndex = search === null ? findFittingIndex(model, base, sort) : findSearchIndex(model, base, sort);
  return readSnapshotPage<R>(request, {
    count: (mongoSession) =>
      applicableSums?.total(mongoSession) ??
      model.countDocuments(filter, buildHint(countIndex)).setOptions(readOptions(mongoSession)).exec(),
    rows: ({ sort: order, skip, limit, bound }, mongoSession) =>
      query.sortBy === 'name'
        ? readRowsByName<T, R>(model, filter, { sort: order, skip, limit }, mongoSession, buildHint(countIndex))
        : model
            .find(bound === undefined ? filter : { $and: [filter, bound] })
            .setOptions(search !== null || skip > SEEK_THRESHOLD_ROWS ? buildHint(readIndex) : {})
            .sort(order)
            .skip(skip)
            .limit(limit)
            .setOptions(readOptions(mongoSession))
            .lean<R[]>()
            .exec(),
    isCountExpensive: search !== null && readIndex !== null,
    ...(applicableSums?.by === query.sortBy ? { seek: buildJump(applicableSums) } : {}),
  });
}

/** The condition of a filter that accepts one of several values; a single value can use an index as equality. */
export const buildChoiceCondition = <T>(values: readonly T[]): T | { $in: T[] } => {
  const [first, ...others] = values;
  return first !== undefined && others.length === 0 ? first : { $in: [...values] };
};

export interface ActiveFilter {
  /** @default 'true' */
  active: 'true' | 'false' | 'all';
}

/** By default, lists hide inactive records. */
export const buildActiveRecordFilter = ({ active }: ActiveFilter): { active?: boolean } =>
  active === 'all' ? {} : { active: active === 'true' };

export interface CreatedFilter {
  createdFrom?: Date | undefined;
  /** Exclusive. */
  createdUntil?: Date | undefined;
}

/** The condition on the time of creation; empty without bounds. */
export function buildCreatedFilter({ createdFrom, createdUntil }: CreatedFilter): { createdAt?: Record<string, Date> } {
  const createdAt = {
    ...(createdFrom === undefined ? {} : { $gte: createdFrom }),
    ...(createdUntil === undefined ? {} : { $lt: createdUntil }),
  };
  return Object.keys(createdAt).length === 0 ? {} : { createdAt };
}

/** A filter of a date field; days are `YYYY-MM-DD`, both inclusive. */
export interface DayFilter {
  from?: string | undefined;
  to?: string | undefined;
}

/** The condition of a date filter; null if it has no days. */
export const buildDayRange = ({ from, to }: DayFilter): { $gte?: string; $lte?: string } | null =>
  from === undefined && to === undefined
    ? null
    : { ...(from === undefined ? {} : { $gte: from }), ...(to === undefined ? {} : { $lte: to }) };
