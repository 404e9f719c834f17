import { z } from 'zod';
import { isPermission, listRolePermissions, PERMISSIONS, ROLES } from '../../../domain/business/access/permissions';
import { unauthorizedError } from '../../../domain/errors';
import { refreshSession, getSignedInUser, signIn, signOut } from '../../../services/business/access/sign-in';
import { MAX_ADDRESS_FAILURES, MAX_DELAY_MINUTES } from '../../../domain/platform/access/sign-in-throttle';
import { endBrowserSession } from '../../http/browser';
import { changePassword } from '../../../services/platform/access/password-change';
import { defineRoute } from '../../http/route';
import type { Route, RouteContext } from '../../http/route';
import {
  DEVICE_HEADER,
  DEVICE_HEADER_DESCRIPTION,
  NEW_PASSWORD_DESCRIPTION,
  readSignInClient,
  signInCodeField,
  signInOrganisationField,
} from '../../http/sign-in';
import { requiredText } from '../../http/text';
import { readUserRoles } from '../../../services/platform/access/user-roles';
import { getCaller } from '../caller';

const userSchema = z.object({ id: z.number().int(), name: z.string(), email: z.string(), role: z.enum(ROLES) });
const tokenFields = {
  token: z.string().meta({ description: 'JWT access token, sent as Authorization: Bearer.' }),
  refreshToken: z.string().meta({ description: 'JWT refresh token; can be used once.' }),
  expiresIn: z.number().int().meta({
    description: 'Lifetime of the access token in seconds: 3600 by default, less where the session ends earlier.',
  }),
};
const exampleUser = { id: 1, name: 'Alex Kim', email: 'alex@example.com', role: 'admin' };
const exampleTokens = { token: 'eyJhbGciOi…', refreshToken: 'eyJhbGciOi…', expiresIn: 3600 };

const login = defineRoute({
  method: 'post',
  path: '/api/auth/login',
  operationId: 'login',
  summary: 'Sign in',
  description: `After ${MAX_ADDRESS_FAILURES} failed attempts, a client address cannot sign in with an email address for ${MAX_DELAY_MINUTES} minutes; many failures from all addresses delay each further attempt by a growing time. Both are the same whether or not an account exists. Devices on which the user has signed in before are not affected by failures from elsewhere: send the \`${DEVICE_HEADER}\` header of an earlier response.`,
  tag: 'Authentication',
  permission: 'public',
  limit: 'authentication',
  headers: { [DEVICE_HEADER]: DEVICE_HEADER_DESCRIPTION },
  body: z.strictObject({
    email: requiredText(254),
    password: requiredText(1024),
    code: signInCodeField,
    organisation: signInOrganisationField,
  }),
  bodyExample: { email: 'alex@example.com', password: 'a long passphrase' },
  replies: {
    200: {
      description: `A token pair and the user. The \`${DEVICE_HEADER}\` header has the token by which the device is known.`,
      schema: z.object({ data: z.object({ ...tokenFields, user: userSchema }) }),
      example: { data: { ...exampleTokens, user: exampleUser } },
    },
  },
  errors: {
    401: 'The credentials are invalid, or the user has a second factor: `second_factor_required`, `second_factor_invalid`.',
    409: '`organisation_required`: several organisations have an account with this email address and password; `details.organisations` names them.',
  },
  async handle(context, { body }) {
    const client = readSignInClient(context, context.header(DEVICE_HEADER) ?? null);
    const { user, role, tokens, deviceToken } = await signIn(context.platform, { ...body, client });
    const { id, name, email } = user;
    return {
      status: 200,
      headers: { [DEVICE_HEADER]: deviceToken },
      body: { data: { ...tokens, user: { id, name, email, role } } },
    };
  },
});

const refresh = defineRoute({
  method: 'post',
  path: '/api/auth/refresh',
  operationId: 'refreshToken',
  summary: 'Refresh the token pair',
  description:
    'A refresh token can be used once. A second use is rejected; after the grace period it also ends the session. The session ends `LOGIN_SESSION_SECONDS` (30 days) after the sign-in, however often it is refreshed.',
  tag: 'Authentication',
  permission: 'public',
  limit: 'authentication',
  body: z.strictObject({ refreshToken: requiredText(4096) }),
  bodyExample: { refreshToken: 'eyJhbGciOi…' },
  replies: {
    200: {
      description: 'A new token pair.',
      schema: z.object({ data: z.object(tokenFields) }),
      example: { data: exampleTokens },
    },
  },
  errors: { 401: 'The refresh token is invalid, expired or already used.' },
  async handle({ platform }, { body }) {
    return { status: 200, body: { data: await refreshSession(platform, body.refreshToken) } };
  },
});

/** The access token of the current session, also next to an API key. @throws AppError 401 for an API key alone */
function requireBearerToken(context: RouteContext, rejectionMessage: string): string {
  const bearer = /^Bearer +(\S+)$/i.exec(context.header('authorization') ?? '')?.[1];
  if (bearer === undefined) throw unauthorizedError(rejectionMessage);
  return bearer;
}

const logout = defineRoute({
  method: 'post',
  path: '/api/auth/logout',
  operationId: 'logout',
  summary: 'Sign out',
  description:
    'Revokes the access token and its refresh token, or ends the browser session, immediately on every replica. An API key that is sent as well remains valid.',
  tag: 'Authentication',
  permission: 'any',
  whileRestricted: true,
  replies: { 200: { description: 'The session has ended.', schema: z.object({}), example: {} } },
  async handle(context) {
    const { platform, credential } = context;
    if (credential.browser !== null)
      return { status: 200, headers: await endBrowserSession(platform, credential.browser), body: {} };
    const bearer = requireBearerToken(context, 'Only a session can be ended: send its token as Authorization: Bearer.');
    await signOut(platform, bearer);
    return { status: 200, body: {} };
  },
});

const me = defineRoute({
  method: 'get',
  path: '/api/auth/me',
  operationId: 'getMe',
  summary: 'Get the current user',
  description: 'For an API key, the fields of the user are null and `name` is the name of the key.',
  tag: 'Authentication',
  permission: 'any',
  whileRestricted: true,
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
    const role = user === null ? null : readUserRoles(user).business;
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
  summary: 'Change the password of the current user',
  description: `Ends every other session of the user. After ${MAX_ADDRESS_FAILURES} wrong current passwords, the password cannot be changed for ${MAX_DELAY_MINUTES} minutes.`,
  tag: 'Authentication',
  addition: true,
  permission: 'any',
  whileRestricted: true,
  limit: 'authentication',
  body: z.strictObject({
    currentPassword: requiredText(1024),
    newPassword: requiredText(1024).meta({ description: NEW_PASSWORD_DESCRIPTION }),
  }),
  bodyExample: { currentPassword: 'a long passphrase', newPassword: 'another long passphrase' },
  replies: {
    200: {
      description: 'The password has been changed; the current session remains valid.',
      schema: z.object({ message: z.string() }),
      example: { message: 'Password changed.' },
    },
  },
  async handle(context, { body }) {
    const { platform, credential } = context;
    const { userId, sessionId } = credential;
    if (userId === null || sessionId === null) throw unauthorizedError('Only a signed-in user has a password.');
    const signedIn = { user: await getSignedInUser(userId), sessionId };
    await changePassword(platform, signedIn, body.currentPassword, body.newPassword);
    return { status: 200, body: { message: 'Password changed.' } };
  },
});

export const authRoutes: readonly Route[] = [login, refresh, logout, me, password];
