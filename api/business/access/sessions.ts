import { z } from 'zod';
import { notFoundError } from '../../../domain/errors';
import { getUser } from '../../../services/business/access/users';
import { endSignInSession, listSignInSessions } from '../../../services/platform/access/sign-in-sessions';
import type { SessionOwner } from '../../../services/platform/access/sign-in-sessions';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { EXAMPLE_SIGN_IN_SESSION, signInSessionFields, signInSessionId } from '../../http/sign-in';
import { getCaller } from '../caller';
import { idPath, instant } from '../fields';
import { serializeResponse } from '../serialization';

const sessionSchema = z.object({
  ...signInSessionFields,
  createdAt: instant,
  lastUsedAt: instant,
  expiresAt: instant,
});

const LIST_REPLY = {
  200: {
    description: 'The sessions.',
    schema: z.object({ data: z.array(sessionSchema) }),
    example: { data: [EXAMPLE_SIGN_IN_SESSION] },
  },
};

const END_REPLY = {
  200: {
    description: 'The session has ended.',
    schema: z.object({ data: z.object({ id: z.string(), deleted: z.literal(true) }) }),
    example: { data: { id: EXAMPLE_SIGN_IN_SESSION.id, deleted: true } },
  },
} as const;

async function respondWithSessions(context: RouteContext, owner: SessionOwner | null) {
  const { company } = await getCaller(context);
  const sessions = owner === null ? [] : await listSignInSessions(context.platform, owner);
  const data = sessions.map((session) => ({ ...session, current: session.id === context.credential.sessionId }));
  return { status: 200, body: serializeResponse({ data }, company.timeZone) } as const;
}

async function respondWithEnd(context: RouteContext, owner: SessionOwner, sessionId: string) {
  await endSignInSession(context.platform, owner, sessionId, context.credential.id);
  return { status: 200, body: { data: { id: sessionId, deleted: true } } } as const;
}

const buildOwner = ({ credential: { organisationId, userId } }: RouteContext): SessionOwner | null =>
  userId === null ? null : { organisationId, userId };

const listOwn = defineRoute({
  method: 'get',
  path: '/api/auth/sessions',
  operationId: 'listOwnSessions',
  summary: 'List the sessions of the current user',
  description: 'Sessions in both APIs that have not ended, most recently used first. An API key has none.',
  tag: 'Authentication',
  addition: true,
  permission: 'any',
  replies: LIST_REPLY,
  handle: (context) => respondWithSessions(context, buildOwner(context)),
});

const endOwn = defineRoute({
  method: 'delete',
  path: '/api/auth/sessions/:id',
  operationId: 'endOwnSession',
  summary: 'End a session of the current user',
  description: 'The session ends immediately on every replica.',
  tag: 'Authentication',
  addition: true,
  permission: 'any',
  params: z.object({ id: signInSessionId }),
  replies: END_REPLY,
  async handle(context, { params }) {
    const owner = buildOwner(context);
    if (owner === null) throw notFoundError('session');
    return respondWithEnd(context, owner, params.id);
  },
});

const listOfUser = defineRoute({
  method: 'get',
  path: '/api/admin/users/:id/sessions',
  operationId: 'listUserSessions',
  summary: 'List the sessions of a user',
  description: 'Sessions in both APIs that have not ended, most recently used first.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:read',
  params: idPath,
  replies: LIST_REPLY,
  async handle(context, { params }) {
    const { _id: userId, organisationId } = await getUser(await getCaller(context), params.id);
    return respondWithSessions(context, { organisationId, userId });
  },
});

const endOfUser = defineRoute({
  method: 'delete',
  path: '/api/admin/users/:id/sessions/:sessionId',
  operationId: 'endUserSession',
  summary: 'End a session of a user',
  description: 'The session ends immediately on every replica.',
  tag: 'Administration',
  addition: true,
  permission: 'admin:update',
  params: idPath.extend({ sessionId: signInSessionId }),
  replies: END_REPLY,
  async handle(context, { params }) {
    const { _id: userId, organisationId } = await getUser(await getCaller(context), params.id);
    return respondWithEnd(context, { organisationId, userId }, params.sessionId);
  },
});

export const ownSessionRoutes: readonly Route[] = [listOwn, endOwn];
export const userSessionRoutes: readonly Route[] = [listOfUser, endOfUser];
