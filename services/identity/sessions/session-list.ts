import { invalidFieldError } from '../../../domain/errors';
import { parseSessionSearch } from '../../../domain/identity/sessions/session-search';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { getIdTime } from '../../../lib/ids';
import { SEARCH_INDEX, Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { getNextCursor, NEWEST_FIRST, OLDEST_FIRST, readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorOrder, CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { buildTimeCondition } from '../../platform/lists/time-range';
import type { TimeRange } from '../../platform/lists/time-range';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { createSessionIndex } from './session-index';

/** `from` and `to` limit the time of creation. */
export interface SessionFilter extends TimeRange {
  statuses?: readonly SessionStatus[] | undefined;
  externalId?: string | undefined;
  templateId?: string | undefined;
  /** ISO 3166-1 alpha-3 */
  country?: string | undefined;
  /** Prefixes of words of the externalId, of the id or of the number. */
  search?: string | undefined;
}

type SessionPage = CursorPage<SessionRecord>;

/** Which page of the sessions is read. */
export interface SessionPageRequest extends CursorPageRequest {
  /** By the time of creation: `asc` is oldest first. */
  sortDir: 'asc' | 'desc';
}

/** The conditions on fields that blind indexes stand for. */
async function buildIndexConditions(platform: Platform, scope: Scope, { externalId, search }: SessionFilter) {
  const words = search === undefined ? [] : parseSessionSearch(search);
  if (externalId === undefined && words.length === 0) return {};
  const index = await createSessionIndex(platform, scope);
  return {
    ...(externalId === undefined ? {} : { externalIdKey: { $in: index.listReferenceKeys(externalId) } }),
    ...(words.length === 0 ? {} : { $and: index.buildSearchConditions(words) }),
  };
}

async function buildSessionFilter(platform: Platform, scope: Scope, filter: SessionFilter) {
  const createdAt = buildTimeCondition(filter);
  return {
    ...toScope(scope),
    deletedAt: null,
    ...(filter.statuses === undefined ? {} : { status: { $in: [...filter.statuses] } }),
    ...(filter.templateId === undefined ? {} : { templateId: filter.templateId }),
    ...(filter.country === undefined ? {} : { country: filter.country }),
    ...(createdAt === undefined ? {} : { createdAt }),
    ...(await buildIndexConditions(platform, scope, filter)),
  };
}

type SessionQuery = Awaited<ReturnType<typeof buildSessionFilter>>;

/**
 * The first sessions of the order are scanned before the token index is sorted: a broad search fills its page from them.
 */
const FIRST_SCAN_LIMIT = 200;

/** The ids of a page of a search, by the time of creation. */
async function findMatchingIds(scope: Scope, query: object, page: SessionPageRequest): Promise<string[]> {
  const { limit, cursor, sortDir } = page;
  const [step, beyond] = sortDir === 'asc' ? ([1, '$gt'] as const) : ([-1, '$lt'] as const);
  const cursorFilter = cursor === undefined ? {} : { _id: { [beyond]: cursor } };
  const first = await Session.aggregate<{ _id: string }>([
    { $match: { ...toScope(scope), deletedAt: null, ...cursorFilter } },
    { $sort: { _id: step } },
    { $limit: FIRST_SCAN_LIMIT },
    { $match: query },
    { $limit: limit },
    { $project: { _id: 1 } },
  ]);
  if (first.length === limit) return first.map(({ _id }) => _id);
  const sorted = await Session.find({ $and: [query, cursorFilter] }, { _id: 1 })
    .hint(SEARCH_INDEX)
    .sort({ _id: step })
    .limit(limit)
    .lean<{ _id: string }[]>();
  return sorted.map(({ _id }) => _id);
}

/**
 * A page of search results, counted and sorted in the token index alone, which holds no deleted session. A broad search
 * matches most sessions, and reading whole records would take a second.
 */
async function readSearchPage(
  scope: Scope,
  { deletedAt, ...query }: SessionQuery,
  page: SessionPageRequest,
): Promise<SessionPage> {
  const [ids, total] = await Promise.all([
    findMatchingIds(scope, query, page),
    Session.countDocuments(query).hint(SEARCH_INDEX),
  ]);
  const records = await Session.find({ _id: { $in: ids }, ...toScope(scope), deletedAt })
    .sort({ _id: page.sortDir === 'asc' ? 1 : -1 })
    .lean<SessionRecord[]>();
  // By the ids that were found: of a full page, a session may have been erased since, and the next page still follows.
  return { records, total, nextCursor: getNextCursor(ids, page.limit, (id) => id) };
}

/**
 * By the time of creation, so that the index by creation serves both a period and its order. The id of a session that was
 * erased meanwhile still contains the time of its creation.
 */
const buildCreationOrder = (scope: Scope, step: 1 | -1): CursorOrder<SessionRecord> => ({
  sort: { createdAt: step, _id: step },
  async buildAfterFilter(id) {
    const beyond = step === 1 ? '$gt' : '$lt';
    const last = await Session.findOne({ _id: id, ...toScope(scope) }, { createdAt: 1 }).lean<
      Pick<SessionRecord, 'createdAt'>
    >();
    const createdAt = last?.createdAt ?? getIdTime(id);
    return { $or: [{ createdAt: { [beyond]: createdAt } }, { createdAt, _id: { [beyond]: id } }] };
  },
  getCursor: ({ _id }) => _id,
});

/** Sessions by the time of creation. */
export async function listSessions(
  platform: Platform,
  scope: Scope,
  filter: SessionFilter,
  page: SessionPageRequest,
): Promise<SessionPage> {
  const query = await buildSessionFilter(platform, scope, filter);
  if ('$and' in query) return readSearchPage(scope, query, page);
  const isAscending = page.sortDir === 'asc';
  if ('createdAt' in query)
    return readCursorPage(Session, query, page, { order: buildCreationOrder(scope, isAscending ? 1 : -1) });
  return readCursorPage(Session, query, page, { order: isAscending ? OLDEST_FIRST : NEWEST_FIRST });
}

/** Longest waiting first. A cursor consists of the time since which the last session has been waiting, and its id. */
const REVIEW_QUEUE_ORDER: CursorOrder<SessionRecord> = {
  sort: { reviewSince: 1, _id: 1 },
  buildAfterFilter(cursor) {
    const [milliseconds, id] = cursor.split('.');
    const since = new Date(Number(milliseconds));
    if (id === undefined || milliseconds === '' || Number.isNaN(since.getTime())) {
      throw invalidFieldError('cursor', 'accepts the nextCursor of the previous page');
    }
    return { $or: [{ reviewSince: { $gt: since } }, { reviewSince: since, _id: { $gt: id } }] };
  },
  getCursor: ({ _id, reviewSince, lastActivityAt }) => `${(reviewSince ?? lastActivityAt).getTime()}.${_id}`,
};

/** Sessions that wait for a reviewer. */
export const listPendingSessions = (scope: Scope, page: CursorPageRequest): Promise<SessionPage> =>
  readCursorPage(Session, { ...toScope(scope), deletedAt: null, status: 'in_review' }, page, {
    order: REVIEW_QUEUE_ORDER,
  });
