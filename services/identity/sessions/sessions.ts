import type { AvailableFeature } from '../../../domain/identity/checks/checks';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import { searchWords, sessionTokens } from '../../../domain/identity/sessions/session-search';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { DEFAULT_DEFINITION, settingsOf } from '../../../domain/identity/sessions/templates';
import { idTime, newId } from '../../../lib/ids';
import { SEARCH_INDEX, Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { nextNumber } from '../../platform/transactions/counters';
import { idempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import { requireSandboxMetadata } from '../checks/sandbox';
import { getSession, insertSession, scopeOf } from './session-store';
import { startSessionWorkflow } from './session-workflow';
import { templateForSession } from './templates';
import type { Template } from './templates';

const HOUR_MILLISECONDS = 3_600_000;

export interface NewSession {
  /** the template it starts with; the organisation's default without one */
  workflowId?: string | undefined;
  features?: readonly AvailableFeature[] | undefined;
  externalId?: string | undefined;
  metadata?: Record<string, unknown> | undefined;
  callbackUrl?: string | undefined;
  language?: string | undefined;
  expected?: ExpectedDetails | undefined;
  contact?: { email?: string | undefined; phone?: string | undefined } | undefined;
}

/** A session about to be inserted: not started, with the defaults of whatever was left out. */
export function draftSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  number: number,
  input: NewSession,
  template: Template | null,
): SessionRecord {
  const now = platform.clock.now();
  const definition = template?.definition ?? DEFAULT_DEFINITION;
  const features = [...new Set<AvailableFeature>(input.features ?? definition.features)];
  const settings = settingsOf(definition);
  const _id = newId('ses');
  const externalId = input.externalId ?? null;
  return {
    _id,
    ...scopeOf(scope),
    number,
    status: 'not_started',
    features,
    workflowId: template?.record._id ?? null,
    workflowVersion: template?.version ?? null,
    externalId,
    searchTokens: sessionTokens({ _id, number, externalId }),
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
    imported: null,
    version: 1,
    createdBy: actor,
    createdAt: now,
    expiresAt: new Date(now.getTime() + settings.linkTtlHours * HOUR_MILLISECONDS),
    startedAt: null,
    lastActivityAt: now,
    reviewSince: null,
    finishedAt: null,
    approvalExpiresAt: null,
    retainUntil: null,
    deletedAt: null,
  };
}

/** Creates a session and starts the workflow that waits for its steps. */
export function createSession(
  platform: Platform,
  scope: Scope,
  actor: string,
  input: NewSession,
  use: IdempotentUse | undefined,
): Promise<SessionRecord> {
  return idempotently(
    platform,
    use,
    async (claim) => {
      requireSandboxMetadata(scope, input.metadata);
      const number = await nextNumber(scope.organisationId, `session.${scope.mode}`);
      const template = await templateForSession(scope, input.workflowId);
      const record = draftSession(platform, scope, actor, number, input, template);
      return transact(platform, async (unit) => {
        await insertSession(unit, record);
        await unit.audit(scope, { actor, action: 'session.created', subject: record._id, fields: Object.keys(input) });
        await claim(unit, record._id, 201);
        await startSessionWorkflow(unit, record);
        return record;
      });
    },
    (id) => getSession(scope, id),
  );
}

export interface SessionFilter {
  statuses?: readonly SessionStatus[] | undefined;
  externalId?: string | undefined;
  workflowId?: string | undefined;
  /** ISO 3166-1 alpha-3 */
  country?: string | undefined;
  /** beginnings of words, see {@link sessionTokens} */
  search?: string | undefined;
  /** created at or after */
  from?: Date | undefined;
  /** created before */
  to?: Date | undefined;
}

export interface Page {
  /** 1–100 */
  limit: number;
  /** the last record of the page before */
  after?: string | undefined;
}

/** A page of sessions, and how many the whole list has. */
export interface SessionPage {
  sessions: SessionRecord[];
  total: number;
}

const beginning = (word: string): RegExp => new RegExp(`^${word.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}`);

function searchedBy(search: string | undefined) {
  const words = search === undefined ? [] : searchWords(search);
  return words.length === 0 ? {} : { $and: words.map((word) => ({ searchTokens: beginning(word) })) };
}

function filterOf(scope: Scope, filter: SessionFilter) {
  const created = {
    ...(filter.from === undefined ? {} : { $gte: filter.from }),
    ...(filter.to === undefined ? {} : { $lt: filter.to }),
  };
  return {
    ...scopeOf(scope),
    deletedAt: null,
    ...(filter.statuses === undefined ? {} : { status: { $in: [...filter.statuses] } }),
    ...(filter.externalId === undefined ? {} : { externalId: filter.externalId }),
    ...(filter.workflowId === undefined ? {} : { workflowId: filter.workflowId }),
    ...(filter.country === undefined ? {} : { country: filter.country }),
    ...(Object.keys(created).length === 0 ? {} : { createdAt: created }),
    ...searchedBy(filter.search),
  };
}

type Wanted = ReturnType<typeof filterOf>;

/** Newest sessions looked through before the index of words is sorted: a broad search finds its page among them. */
const NEWEST = 200;

/** The ids of a page of a search, newest first. */
async function searchedIds(scope: Scope, wanted: object, { limit, after }: Page): Promise<string[]> {
  const beyond = after === undefined ? {} : { _id: { $lt: after } };
  const newest = await Session.aggregate<{ _id: string }>([
    { $match: { ...scopeOf(scope), deletedAt: null, ...beyond } },
    { $sort: { _id: -1 } },
    { $limit: NEWEST },
    { $match: wanted },
    { $limit: limit },
    { $project: { _id: 1 } },
  ]);
  if (newest.length === limit) return newest.map(({ _id }) => _id);
  const sorted = await Session.find({ $and: [wanted, beyond] }, { _id: 1 })
    .hint(SEARCH_INDEX)
    .sort({ _id: -1 })
    .limit(limit)
    .lean<{ _id: string }[]>();
  return sorted.map(({ _id }) => _id);
}

/**
 * A page of what a search found. It is counted and sorted in the index of words alone, where a deleted session is not: a
 * broad search finds most of all sessions, and reading them whole would take a second.
 */
async function searchedPage(scope: Scope, { deletedAt, ...wanted }: Wanted, page: Page): Promise<SessionPage> {
  const [ids, total] = await Promise.all([
    searchedIds(scope, wanted, page),
    Session.countDocuments(wanted).hint(SEARCH_INDEX),
  ]);
  const sessions = await Session.find({ _id: { $in: ids }, ...scopeOf(scope), deletedAt })
    .sort({ _id: -1 })
    .lean<SessionRecord[]>();
  return { sessions, total };
}

/** What lies beyond a session in the order of creation, newest first; its id tells when, should it be erased. */
async function olderThan(scope: Scope, id: string) {
  const last = await Session.findOne({ _id: id, ...scopeOf(scope) }, { createdAt: 1 }).lean<
    Pick<SessionRecord, 'createdAt'>
  >();
  const createdAt = last?.createdAt ?? idTime(id);
  return { $or: [{ createdAt: { $lt: createdAt } }, { createdAt, _id: { $lt: id } }] };
}

/** A page of a period: its sessions lie together in the index by creation, and newest first in the same order. */
async function periodPage(scope: Scope, wanted: Wanted, { limit, after }: Page): Promise<SessionPage> {
  const beyond = after === undefined ? {} : await olderThan(scope, after);
  const [sessions, total] = await Promise.all([
    Session.find({ $and: [wanted, beyond] })
      .sort({ createdAt: -1, _id: -1 })
      .limit(limit)
      .lean<SessionRecord[]>(),
    Session.countDocuments(wanted),
  ]);
  return { sessions, total };
}

/** Sessions, newest first. */
export async function listSessions(scope: Scope, filter: SessionFilter, page: Page): Promise<SessionPage> {
  const wanted = filterOf(scope, filter);
  if ('$and' in wanted) return searchedPage(scope, wanted, page);
  if ('createdAt' in wanted) return periodPage(scope, wanted, page);
  const [sessions, total] = await Promise.all([
    Session.find({ ...wanted, ...(page.after === undefined ? {} : { _id: { $lt: page.after } }) })
      .sort({ _id: -1 })
      .limit(page.limit)
      .lean<SessionRecord[]>(),
    Session.countDocuments(wanted),
  ]);
  return { sessions, total };
}

/** Where a page of the reviewers' queue ended. */
export interface QueuePosition {
  since: Date;
  id: string;
}

/** Sessions that wait for a reviewer, those waiting longest first. */
export async function listPendingSessions(
  scope: Scope,
  page: { limit: number; after?: QueuePosition | undefined },
): Promise<SessionPage> {
  const wanted = { ...scopeOf(scope), deletedAt: null, status: 'in_review' as const };
  const { after } = page;
  const beyond =
    after === undefined
      ? {}
      : { $or: [{ reviewSince: { $gt: after.since } }, { reviewSince: after.since, _id: { $gt: after.id } }] };
  const [sessions, total] = await Promise.all([
    Session.find({ ...wanted, ...beyond })
      .sort({ reviewSince: 1, _id: 1 })
      .limit(page.limit)
      .lean<SessionRecord[]>(),
    Session.countDocuments(wanted),
  ]);
  return { sessions, total };
}
