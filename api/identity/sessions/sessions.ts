import { z } from 'zod';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import { listPendingSessions, listSessions } from '../../../services/identity/sessions/session-list';
import { createSession } from '../../../services/identity/sessions/sessions';
import { buildSessionDetail } from '../../../services/identity/sessions/session-details';
import { buildCursorQuery, cursorPageFields, cursorQuery, idParam } from '../../http/paging';
import { defineRoute } from '../../http/route';
import { trimmedText } from '../../http/text';
import type { Route } from '../../http/route';
import { buildCommaList } from '../../http/comma-list';
import { createdRangeFields, parseTimeRange } from '../time-range';
import { exampleLink } from '../capture/link-response';
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
import { buildSessionReply, respondWithSession } from './session-reply';

const create = defineRoute({
  method: 'post',
  path: '/v1/sessions',
  operationId: 'createSession',
  summary: 'Create a verification session',
  description:
    'All options are optional. The `url` of the response opens the capture page for the person, once; send it to the person or redirect there.',
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
        session: {
          ...exampleSession,
          url: exampleLink.url,
          status: 'not_started',
          decision: null,
          startedAt: null,
          reviewSince: null,
        },
      },
    },
  },
  async handle({ platform, credential, idempotency }, { body }) {
    const { workflowId: templateId, ...options } = body;
    const input = { templateId, ...options };
    const { session, link } = await createSession(platform, credential, credential.id, input, idempotency);
    const presented = presentSession(buildSessionDetail(platform, session, [], []));
    return { status: 201, body: { session: { ...presented, url: link?.url ?? null } } };
  },
});

const get = defineRoute({
  method: 'get',
  path: '/v1/sessions/:id',
  operationId: 'getSession',
  summary: 'Get a session',
  description:
    'Returns the session with its steps, results, risks, decision and the ids of its evidence. Its ETag names this state: a decision that is sent with it as If-Match is made on this state only.',
  tag: 'Sessions',
  permission: 'sessions:read',
  params: z.object({ id: idParam('ses') }),
  replies: buildSessionReply('The session.', exampleSession),
  handle: (context, { params }) => respondWithSession(context, params.id),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/sessions',
  operationId: 'listSessions',
  summary: 'List sessions',
  tag: 'Sessions',
  permission: 'sessions:read',
  query: buildCursorQuery('ses').extend({
    status: buildCommaList(SESSION_STATUSES).optional(),
    externalId: trimmedText(200).optional(),
    workflowId: z.string().min(1).max(64).optional(),
    country: country.optional(),
    search: z
      .string()
      .trim()
      .min(1)
      .max(200)
      .optional()
      .meta({ description: 'Prefixes of words of the externalId, of the number or of the id; all must match.' }),
    ...createdRangeFields,
    sortDir: z
      .enum(['asc', 'desc'], { error: 'must be asc or desc' })
      .default('desc')
      .meta({ description: 'Order by the time of creation: `desc` is newest first.' }),
  }),
  replies: {
    200: {
      description: 'Sessions by the time of creation; `total` counts all that match the filters.',
      schema: z.object({
        sessions: z.array(sessionSummarySchema),
        ...cursorPageFields,
      }),
      example: { sessions: [exampleSessionSummary], total: 1, nextCursor: null },
    },
  },
  async handle({ platform, credential }, { query }) {
    const filter = {
      statuses: query.status,
      externalId: query.externalId,
      templateId: query.workflowId,
      country: query.country,
      search: query.search,
      ...parseTimeRange(query),
    };
    const { records, ...page } = await listSessions(platform, credential, filter, query);
    return { status: 200, body: { sessions: records.map(presentSessionSummary), ...page } };
  },
});

const listPending = defineRoute({
  method: 'get',
  path: '/v1/sessions/pending',
  operationId: 'listPendingSessions',
  summary: 'List sessions that wait for a reviewer',
  description: 'Longest waiting first, with the risks that caused the review.',
  tag: 'Sessions',
  permission: 'sessions:read',
  query: cursorQuery,
  replies: {
    200: {
      description: 'Sessions in review.',
      schema: z.object({
        sessions: z.array(pendingSessionSchema),
        ...cursorPageFields,
      }),
      example: { sessions: [{ ...exampleSessionSummary, risks: exampleSession.risks }], total: 1, nextCursor: null },
    },
  },
  async handle({ credential }, { query }) {
    const { records, ...page } = await listPendingSessions(credential, query);
    return { status: 200, body: { sessions: records.map(presentPendingSession), ...page } };
  },
});

export const sessionRoutes: readonly Route[] = [create, list, listPending, get];
