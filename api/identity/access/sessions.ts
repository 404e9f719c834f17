import { z } from 'zod';
import type { Credential } from '../../http/credentials';
import { buildDeletionBody, deletionFields } from '../../http/deletion';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { EXAMPLE_SIGN_IN_SESSION, signInSessionFields, signInSessionId } from '../../http/sign-in';
import { endSignInSession, listSignInSessions } from '../../../services/platform/access/sign-in-sessions';
import type { SignInSession } from '../../../services/platform/access/sign-in-sessions';
import { notFoundError } from '../../../domain/errors';

const sessionSchema = z.object({
  ...signInSessionFields,
  createdAt: z.iso.datetime(),
  lastUsedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
});

const presentSession = (session: SignInSession, { sessionId }: Credential): z.infer<typeof sessionSchema> => ({
  ...session,
  current: session.id === sessionId,
  createdAt: session.createdAt.toISOString(),
  lastUsedAt: session.lastUsedAt.toISOString(),
  expiresAt: session.expiresAt.toISOString(),
});

const list = defineRoute({
  method: 'get',
  path: '/v1/auth/sessions',
  operationId: 'listSignInSessions',
  summary: 'List the sessions of the signed-in user',
  description: 'Sessions in both APIs that have not ended, most recently used first. An API key has none.',
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  replies: {
    200: {
      description: 'The sessions.',
      schema: z.object({ sessions: z.array(sessionSchema) }),
      example: { sessions: [EXAMPLE_SIGN_IN_SESSION] },
    },
  },
  async handle({ platform, credential }) {
    const { userId, organisationId } = credential;
    const sessions = userId === null ? [] : await listSignInSessions(platform, { organisationId, userId });
    return { status: 200, body: { sessions: sessions.map((session) => presentSession(session, credential)) } };
  },
});

const end = defineRoute({
  method: 'delete',
  path: '/v1/auth/sessions/:id',
  operationId: 'endSignInSession',
  summary: 'End a session of the signed-in user',
  description: 'The session ends immediately on every replica.',
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  params: z.object({ id: signInSessionId }),
  replies: {
    200: {
      description: 'The session has ended.',
      schema: z.object(deletionFields),
      example: buildDeletionBody(EXAMPLE_SIGN_IN_SESSION.id),
    },
  },
  async handle({ platform, credential: { userId, organisationId } }, { params }) {
    if (userId === null) throw notFoundError('session');
    await endSignInSession(platform, { organisationId, userId }, params.id, userId);
    return { status: 200, body: buildDeletionBody(params.id) };
  },
});

export const signInSessionRoutes: readonly Route[] = [list, end];
