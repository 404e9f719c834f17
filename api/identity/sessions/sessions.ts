import { z } from 'zod';
import { invalidFieldError } from '../../../domain/errors';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';
import { createSession, listPendingSessions, listSessions } from '../../../services/identity/sessions/sessions';
import type { QueuePosition } from '../../../services/identity/sessions/sessions';
import { buildSessionDetail, getSessionDetail } from '../../../services/identity/sessions/session-details';
import { isId } from '../../../lib/ids';
import { getNextCursor, cursorQuery, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { createdRangeFields, parseTimeRange } from '../time-range';
import { country, sessionOptions } from './session-fields';
import {
  exampleSession,
  exampleSessionSummary,
  pendingSessionSchema,
  presentPendingSession,
  presentSession,
  presentSessionSummary,
  sessionSchema,
  sessionSummarySchema,
} from './session-responses';

const isStatus = (value: string): value is SessionStatus => SESSION_STATUSES.some((status) => status === value);

/** A comma list of statuses; an unknown one is refused with the list. */
const statusList = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((parts): parts is SessionStatus[] => parts.every(isStatus), {
    error: `accepts, separated by commas: ${SESSION_STATUSES.join(', ')}`,
  })
  .meta({ type: 'string', description: `One or more of ${SESSION_STATUSES.join(', ')}, separated by commas.` });

const create = defineRoute({
  method: 'post',
  path: '/v1/sessions',
  operationId: 'createSession',
  summary: 'Create a verification session',
  description: 'All options may be left out.',
  tag: 'Sessions',
  permission: 'sessions:write',
  limit: 'session_creation',
  idempotent: true,
  body: sessionOptions,
  bodyExample: { features: ['id', 'liveness', 'face_match'], externalId: 'customer-4711' },
  replies: {
    201: {
      description: 'The session, waiting for its first check.',
      schema: z.object({ session: sessionSchema }),
      example: {
        session: { ...exampleSession, status: 'not_started', decision: null, startedAt: null, reviewSince: null },
      },
    },
  },
  async handle({ platform, credential, idempotency }, { body }) {
    const session = await createSession(platform, credential, credential.id, body, idempotency);
    return { status: 201, body: { session: presentSession(buildSessionDetail(platform, session, [], [])) } };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/sessions/:id',
  operationId: 'getSession',
  summary: 'Get a session',
  description: 'With its steps, results, risks, decision and the ids of its evidence.',
  tag: 'Sessions',
  permission: 'sessions:read',
  params: z.object({ id: idParam('ses') }),
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'The session.',
      schema: z.object({ session: sessionSchema }),
      example: { session: exampleSession },
    },
  },
  async handle({ platform, credential }, { params }) {
    return { status: 200, body: { session: presentSession(await getSessionDetail(platform, credential, params.id)) } };
  },
});

const list = defineRoute({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  summary: 'List sessions',
  tag: 'Sessions',
  permission: 'sessions:read',
  query: cursorQuery.extend({
    cursor: z
      .string()
      .refine((value) => isId('ses', value), { error: 'accepts the nextCursor of the page before' })
      .optional(),
    status: statusList.optional(),
    externalId: z.string().min(1).max(200).optional(),
    workflowId: z.string().min(1).max(64).optional(),
    country: country.optional(),
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Beginnings of words of the externalId, of the number or of the id; all must fit.' }),
    ...createdRangeFields,
  }),
  replies: {
    200: {
      description: 'Sessions, newest first; `total` counts all that fit the filters.',
      schema: z.object({
        sessions: z.array(sessionSummarySchema),
        total: z.number().int(),
        nextCursor: z.string().nullable(),
      }),
      example: { sessions: [exampleSessionSummary], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const filter = {
      statuses: query.status,
      externalId: query.externalId,
      workflowId: query.workflowId,
      country: query.country,
      search: query.search,
      ...parseTimeRange(query),
    };
    const { sessions, total } = await listSessions(credential, filter, { limit: query.limit, after: query.cursor });
    const nextCursor = getNextCursor(sessions, query.limit);
    return { status: 200, body: { sessions: sessions.map(presentSessionSummary), total, nextCursor } };
  },
});

/** The queue is ordered by waiting time, so its cursor carries that beside the id. */
const queueCursor = {
  write: ({ since, id }: QueuePosition): string => `${since.getTime()}.${id}`,
  read(cursor: string): QueuePosition {
    const [milliseconds, id] = cursor.split('.');
    const since = new Date(Number(milliseconds));
    if (id === undefined || milliseconds === '' || Number.isNaN(since.getTime())) {
      throw invalidFieldError('cursor', 'accepts the nextCursor of the page before');
    }
    return { since, id };
  },
};

const listPending = defineRoute({
  method: 'get',
  path: '/v1/sessions/pending',
  operationId: 'listPendingSessions',
  summary: 'List sessions that wait for a reviewer',
  description: 'Those waiting longest first, with the risks that sent them there.',
  tag: 'Sessions',
  permission: 'sessions:read',
  query: cursorQuery,
  replies: {
    200: {
      description: 'Sessions in review.',
      schema: z.object({
        sessions: z.array(pendingSessionSchema),
        total: z.number().int(),
        nextCursor: z.string().nullable(),
      }),
      example: { sessions: [{ ...exampleSessionSummary, risks: exampleSession.risks }], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const after = query.cursor === undefined ? undefined : queueCursor.read(query.cursor);
    const { sessions, total } = await listPendingSessions(credential, { limit: query.limit, after });
    const last = sessions.length < query.limit ? undefined : sessions.at(-1);
    const nextCursor =
      last === undefined ? null : queueCursor.write({ since: last.reviewSince ?? last.lastActivityAt, id: last._id });
    return { status: 200, body: { sessions: sessions.map(presentPendingSession), total, nextCursor } };
  },
});

export const sessionRoutes: readonly Route[] = [create, list, listPending, get];
