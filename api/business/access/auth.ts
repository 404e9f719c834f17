import { z } from 'zod';
import {
  isPermission,
  isRole,
  listRolePermissions,
  PERMISSIONS,
  ROLES,
} from '../../../domain/business/access/permissions';
import { unauthorizedError } from '../../../domain/errors';
import { changePassword } from '../../../services/business/access/password-change';
import { refreshSession, getSignedInUser, signIn, signOut } from '../../../services/business/access/sign-in';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import { getCaller } from '../caller';

const text = (max: number) =>
  z.string({ error: 'must be a string' }).min(1, 'must not be empty').max(max, `must have at most ${max} characters`);

const userSchema = z.object({ id: z.number().int(), name: z.string(), email: z.string(), role: z.enum(ROLES) });
const tokenFields = {
  token: z.string().meta({ description: 'JWT access token, sent as Authorization: Bearer.' }),
  refreshToken: z.string().meta({ description: 'JWT refresh token, used once.' }),
  expiresIn: z.number().int().meta({ description: 'Seconds the access token lives.' }),
};
const exampleUser = { id: 1, name: 'Alex Kim', email: 'alex@example.com', role: 'admin' };
const exampleTokens = { token: 'eyJhbGciOi…', refreshToken: 'eyJhbGciOi…', expiresIn: 3600 };

const login = defineRoute({
  method: 'post',
  path: '/api/auth/login',
  operationId: 'login',
  summary: 'Sign in',
  description:
    'Five failed attempts lock an address for 15 minutes, known or not. Unknown address, wrong password and lock read the same.',
  tag: 'Authentication',
  permission: 'public',
  limit: 'authentication',
  body: z.strictObject({ email: text(254), password: text(1024) }),
  bodyExample: { email: 'alex@example.com', password: 'a long passphrase' },
  replies: {
    200: {
      description: 'A token pair and the user.',
      schema: z.object({ data: z.object({ ...tokenFields, user: userSchema }) }),
      example: { data: { ...exampleTokens, user: exampleUser } },
    },
  },
  errors: { 401: 'The credentials are invalid or the account is locked.' },
  async handle({ platform }, { body }) {
    const { user, role, tokens } = await signIn(platform, body.email, body.password);
    const { id, name, email } = user;
    return { status: 200, body: { data: { ...tokens, user: { id, name, email, role } } } };
  },
});

const refresh = defineRoute({
  method: 'post',
  path: '/api/auth/refresh',
  operationId: 'refreshToken',
  summary: 'Renew the token pair',
  description:
    'A refresh token works once. A second use is refused; later than the grace after the first it also ends the session.',
  tag: 'Authentication',
  permission: 'public',
  limit: 'authentication',
  body: z.strictObject({ refreshToken: text(4096) }),
  bodyExample: { refreshToken: 'eyJhbGciOi…' },
  replies: {
    200: {
      description: 'A new pair.',
      schema: z.object({ data: z.object(tokenFields) }),
      example: { data: exampleTokens },
    },
  },
  errors: { 401: 'The refresh token is invalid, expired or already used.' },
  async handle({ platform }, { body }) {
    return { status: 200, body: { data: await refreshSession(platform, body.refreshToken) } };
  },
});

/** The access token of the session that asks. @throws AppError 401 for an API key, which has none */
function requireBearerToken(context: RouteContext, rejectionMessage: string): string {
  const bearer = /^Bearer +(\S+)$/i.exec(context.header('authorization') ?? '')?.[1];
  if (context.credential.kind !== 'user' || bearer === undefined) throw unauthorizedError(rejectionMessage);
  return bearer;
}

const logout = defineRoute({
  method: 'post',
  path: '/api/auth/logout',
  operationId: 'logout',
  summary: 'End the session',
  description: 'The access token and its refresh token stop working at once, on every replica.',
  tag: 'Authentication',
  permission: 'any',
  replies: { 200: { description: 'The session has ended.', schema: z.object({}), example: {} } },
  async handle(context) {
    const bearer = requireBearerToken(context, 'Only a session can be ended: send its token as Authorization: Bearer.');
    await signOut(context.platform, bearer);
    return { status: 200, body: {} };
  },
});

const me = defineRoute({
  method: 'get',
  path: '/api/auth/me',
  operationId: 'getMe',
  summary: 'The current user',
  description: 'With an API key, user fields are null and `name` is the key’s.',
  tag: 'Authentication',
  permission: 'any',
  replies: {
    200: {
      description: 'User, role, permissions, company and time zone.',
      schema: z.object({
        data: z.object({
          id: z.number().int().nullable(),
          name: z.string(),
          email: z.string().nullable(),
          role: z.enum(ROLES).nullable(),
          permissions: z.array(z.enum(PERMISSIONS)),
          company: z.object({ name: z.string(), baseCurrencyCode: z.string() }),
          timeZone: z.string(),
        }),
      }),
      example: {
        data: {
          ...exampleUser,
          permissions: ['invoices:read', 'invoices:create'],
          company: { name: 'Example GmbH', baseCurrencyCode: 'EUR' },
          timeZone: 'Europe/Berlin',
        },
      },
    },
  },
  async handle(context) {
    const { company } = await getCaller(context);
    const { credential } = context;
    const user = credential.userId === null ? null : await getSignedInUser(credential.userId);
    const role = user !== null && isRole(user.role) ? user.role : null;
    return {
      status: 200,
      body: {
        data: {
          id: user?.id ?? null,
          name: user?.name ?? credential.key?.record.name ?? '',
          email: user?.email ?? null,
          role,
          permissions: role === null ? [...credential.permissions].filter(isPermission) : listRolePermissions(role),
          company: { name: company.legalName, baseCurrencyCode: company.baseCurrencyCode },
          timeZone: company.timeZone,
        },
      },
    };
  },
});

const password = defineRoute({
  method: 'post',
  path: '/api/auth/password',
  operationId: 'changePassword',
  summary: 'Change one’s own password',
  description:
    'Every other session of the user ends. A wrong current password counts towards the lock of five like a failed login.',
  tag: 'Authentication',
  addition: true,
  permission: 'any',
  limit: 'authentication',
  body: z.strictObject({
    currentPassword: text(1024),
    newPassword: text(1024).meta({ description: 'At least 12 characters.' }),
  }),
  bodyExample: { currentPassword: 'a long passphrase', newPassword: 'another long passphrase' },
  replies: {
    200: {
      description: 'The password is changed; this session goes on.',
      schema: z.object({ message: z.string() }),
      example: { message: 'Password changed.' },
    },
  },
  async handle(context, { body }) {
    const bearer = requireBearerToken(
      context,
      'Only a signed-in user has a password: send a token as Authorization: Bearer.',
    );
    await changePassword(context.platform, bearer, body.currentPassword, body.newPassword);
    return { status: 200, body: { message: 'Password changed.' } };
  },
});

export const authRoutes: readonly Route[] = [login, refresh, logout, me, password];
