import { invalidFieldError } from '../../../domain/errors';
import { HOUR_MS } from '../../../domain/durations';
import type { AvailableFeature } from '../../../domain/identity/checks/checks';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import { parseSessionSearch } from '../../../domain/identity/sessions/session-search';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { DEFAULT_DEFINITION, pickSettings } from '../../../domain/identity/sessions/session-template';
import { getIdTime, newId } from '../../../lib/ids';
import { SEARCH_INDEX, Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { getNextCursor, NEWEST_FIRST, readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorOrder, CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { buildTimeCondition } from '../../platform/lists/time-range';
import type { TimeRange } from '../../platform/lists/time-range';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import { withReservedNumber } from '../../platform/transactions/number-reservations';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { requireSandboxMetadata } from '../checks/sandbox-values';
import { findFirstLink, issueFirstLink } from '../capture/links';
import type { IssuedLink } from '../capture/links';
import { createSessionIndex, describeSession } from './session-index';
import { getSession, toScope } from './session-store';
import { beginSession } from './session-transitions';
import { findTemplateForSession } from './session-templates';
import type { Template } from './session-templates';

export interface NewSession {
  /** The template it starts with @default the organisation's default template */
  templateId?: string | undefined;
  features?: readonly AvailableFeature[] | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  callbackUrl?: string | undefined;
  language?: string | undefined;
  expected?: ExpectedDetails | undefined;
  contact?: { email?: string | undefined; phone?: string | undefined } | undefined;
}

/** A new session in status `not_started`, not yet inserted; options that were left out have their defaults. */
export async function draftSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  number: number,
  input: NewSession,
  template: Template | null,
): Promise<SessionRecord> {
  const now = platform.clock.now();
  const definition = template?.definition ?? DEFAULT_DEFINITION;
  const features = [...new Set<AvailableFeature>(input.features ?? definition.features)];
  const settings = pickSettings(definition);
  const _id = newId('ses');
  const externalId = input.externalId ?? null;
  return {
    _id,
    ...toScope(scope),
    number,
    status: 'not_started',
    features,
    templateId: template?.record._id ?? null,
    templateVersion: template?.version ?? null,
    externalId,
    ...(await describeSession(platform, scope, { _id, number, externalId })),
    metadata: input.metadata ?? null,
    callbackUrl: input.callbackUrl ?? definition.callbackUrl,
    language: input.language ?? null,
    expected: input.expected ?? null,
    contact: input.contact ?? null,
    country: input.expected?.country ?? null,
    settings,
    steps: features.map((feature) => ({ feature, attempts: [] })),
    decision: null,
    reviews: [],
    opening: 1,
    followedBy: 'verification',
    imported: null,
    version: 1,
    createdBy: actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + settings.linkTtlHours * HOUR_MS),
    startedAt: null,
    lastActivityAt: now,
    reviewSince: null,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
}

/** The options that were sent, by their names in the API: the audit log is part of it. */
const listOptionNames = (input: NewSession): string[] =>
  Object.entries(input)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => (name === 'templateId' ? 'workflowId' : name));

/** Creates a session with the next number of its organisation and mode; the numbers have no gaps. */
export const withSessionNumber = <T>(
  platform: Platform,
  scope: Scope,
  create: (number: number) => Promise<T>,
): Promise<T> =>
  withReservedNumber(
    platform,
    {
      organisationId: scope.organisationId,
      name: `session.${scope.mode}`,
      isUsed: async (number) => (await Session.exists({ ...toScope(scope), number })) !== null,
    },
    create,
  );

export interface CreatedSession {
  session: SessionRecord;
  /** Null for a session that the capture page cannot complete. */
  link: IssuedLink | null;
}

/** Creates a session with its link, and starts the workflow that waits for its steps. */
export function createSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewSession,
  use: IdempotentUse | undefined,
): Promise<CreatedSession> {
  return runIdempotently<CreatedSession>(
    platform,
    use,
    async (claim) => {
      requireSandboxMetadata(scope, input.metadata);
      const template = await findTemplateForSession(scope, input.templateId);
      return withSessionNumber(platform, scope, async (number) => {
        const record = await draftSession(platform, scope, actor, number, input, template);
        return runTransaction(platform, async (unit) => {
          await beginSession(unit, record);
          const link = await issueFirstLink(unit, record, actor);
          await unit.audit(scope, {
            actor,
            action: 'session.created',
            subject: record._id,
            fields: listOptionNames(input),
          });
          await claim(unit, record._id, 201);
          return { session: record, link };
        });
      });
    },
    async (id) => {
      const session = await getSession(scope, id);
      return { session, link: await findFirstLink(platform, session) };
    },
  );
}

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

/** The newest sessions are scanned before the token index is sorted: a broad search fills its page from them. */
const RECENT_SCAN_LIMIT = 200;

/** The ids of a page of a search, newest first. */
async function findMatchingIds(scope: Scope, query: object, { limit, cursor }: CursorPageRequest): Promise<string[]> {
  const cursorFilter = cursor === undefined ? {} : { _id: { $lt: cursor } };
  const newest = await Session.aggregate<{ _id: string }>([
    { $match: { ...toScope(scope), deletedAt: null, ...cursorFilter } },
    { $sort: { _id: -1 } },
    { $limit: RECENT_SCAN_LIMIT },
    { $match: query },
    { $limit: limit },
    { $project: { _id: 1 } },
  ]);
  if (newest.length === limit) return newest.map(({ _id }) => _id);
  const sorted = await Session.find({ $and: [query, cursorFilter] }, { _id: 1 })
    .hint(SEARCH_INDEX)
    .sort({ _id: -1 })
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
  page: CursorPageRequest,
): Promise<SessionPage> {
  const [ids, total] = await Promise.all([
    findMatchingIds(scope, query, page),
    Session.countDocuments(query).hint(SEARCH_INDEX),
  ]);
  const records = await Session.find({ _id: { $in: ids }, ...toScope(scope), deletedAt })
    .sort({ _id: -1 })
    .lean<SessionRecord[]>();
  return { records, total, nextCursor: getNextCursor(records, page.limit, NEWEST_FIRST.getCursor) };
}

/**
 * Newest first by the time of creation, so that the index by creation serves both a period and its order. The id of a
 * session that was erased meanwhile still contains the time of its creation.
 */
const buildCreationOrder = (scope: Scope): CursorOrder<SessionRecord> => ({
  sort: { createdAt: -1, _id: -1 },
  async buildAfterFilter(id) {
    const last = await Session.findOne({ _id: id, ...toScope(scope) }, { createdAt: 1 }).lean<
      Pick<SessionRecord, 'createdAt'>
    >();
    const createdAt = last?.createdAt ?? getIdTime(id);
    return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: id } }] };
  },
  getCursor: ({ _id }) => _id,
});

/** Sessions, newest first. */
export async function listSessions(
  platform: Platform,
  scope: Scope,
  filter: SessionFilter,
  page: CursorPageRequest,
): Promise<SessionPage> {
  const query = await buildSessionFilter(platform, scope, filter);
  if ('$and' in query) return readSearchPage(scope, query, page);
  if ('createdAt' in query) return readCursorPage(Session, query, page, { order: buildCreationOrder(scope) });
  return readCursorPage(Session, query, page);
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
