import { z } from 'zod';
import { unauthorizedError } from '../../../domain/errors';
import { MAX_ADDRESS_FAILURES, MAX_DELAY_MINUTES } from '../../../domain/platform/access/sign-in-throttle';
import { openBrowserSession, switchSessionMode } from '../../../services/platform/access/browser-sessions';
import type { BrowserCredential } from '../../../services/platform/access/browser-sessions';
import { DEVICE_TOKEN_SECONDS } from '../../../services/platform/access/known-devices';
import { getOrganisation } from '../../../services/platform/access/organisations';
import { changePassword } from '../../../services/platform/access/password-change';
import { ACCOUNT_RESTRICTIONS, findRestriction } from '../../../services/platform/access/restrictions';
import { listUserPermissions, USER_PERMISSIONS, USER_ROLES } from '../../../services/platform/access/user-roles';
import { createCookieJar, endBrowserSession, requireAllowedOrigin, setConsoleCookie } from '../../http/browser';
import {
  NEW_PASSWORD_DESCRIPTION,
  readSignInClient,
  signInCodeField,
  signInOrganisationField,
} from '../../http/sign-in';
import { requiredText } from '../../http/text';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';

/** Purpose of the token by which a device is known. */
const DEVICE_COOKIE = 'device';

const userSchema = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string(),
  role: z
    .enum(USER_ROLES.identity)
    .nullable()
    .meta({ description: 'Role in identity verification; null without access.' }),
  businessRole: z
    .enum(USER_ROLES.business)
    .nullable()
    .meta({ description: 'Role in business management; null without access.' }),
});
const mode = z.enum(['live', 'test'], { error: 'accepts live or test' });
const exampleUser = {
  id: 'usr_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  name: 'Alex Kim',
  email: 'alex@example.com',
  role: 'admin' as const,
  businessRole: 'accountant' as const,
};
const permissionFields = {
  permissions: z.array(z.enum(USER_PERMISSIONS.identity)).meta({ description: 'Permissions in `/v1`.' }),
  businessPermissions: z
    .array(z.enum(USER_PERMISSIONS.business))
    .meta({ description: 'Permissions in `/api`, which has only live mode.' }),
};
const EXAMPLE_PERMISSIONS = {
  permissions: ['sessions:read', 'sessions:decide'],
  businessPermissions: ['invoices:read', 'invoices:create'],
};
const restriction = z.enum(ACCOUNT_RESTRICTIONS).nullable().meta({
  description:
    'What the user must do first: until then, all routes but those to do it return 403 with this code. Null for a complete account.',
});
const csrfToken = z
  .string()
  .meta({ description: 'CSRF token, to be sent as X-CSRF-Token with every request except GET.' });

const presentUser = ({ user, roles }: BrowserCredential): z.infer<typeof userSchema> => ({
  id: user._id,
  name: user.name,
  email: user.email,
  role: roles.identity,
  businessRole: roles.business,
});

const sessionReply = (description: string) => ({
  description,
  schema: z.object({
    user: userSchema,
    mode,
    ...permissionFields,
    restriction,
    csrfToken,
    expiresAt: z.iso.datetime(),
  }),
  example: {
    user: exampleUser,
    mode: 'live',
    ...EXAMPLE_PERMISSIONS,
    restriction: null,
    csrfToken: 'f1d2…',
    expiresAt: '2026-11-21T22:00:00.000Z',
  },
});

function presentSession(opened: BrowserCredential) {
  const { identity: permissions, business: businessPermissions } = listUserPermissions(opened.roles);
  return {
    user: presentUser(opened),
    mode: opened.session.mode,
    permissions: [...permissions],
    businessPermissions: [...businessPermissions],
    restriction: findRestriction(opened.user),
    csrfToken: opened.csrfToken,
    expiresAt: opened.session.expiresAt.toISOString(),
  };
}

const login = defineRoute({
  method: 'post',
  path: '/v1/auth/login',
  operationId: 'loginToConsole',
  summary: 'Sign in from a browser',
  description: [
    'Sets an httpOnly cookie that both APIs accept instead of another credential, with the permissions of the role in each. `/v1` reads and writes records of the chosen mode; `/api` needs live mode. The session ends after `BROWSER_SESSION_SECONDS` (twelve hours), or after `BROWSER_SESSION_IDLE_SECONDS` (one hour) without a request.',
    'Requires an `Origin` of `ALLOWED_ORIGINS`, as does every later request except GET, in addition to the CSRF token.',
    `After ${MAX_ADDRESS_FAILURES} failed attempts, including those at the business API, a client address cannot sign in with an email address for ${MAX_DELAY_MINUTES} minutes; many failures from all addresses delay each further attempt by a growing time. Browsers in which the user has signed in before are known by a second cookie, and are not affected by failures from elsewhere.`,
  ].join('\n\n'),
  tag: 'Browser sessions',
  addition: true,
  permission: 'public',
  limit: 'authentication',
  body: z.strictObject({
    email: requiredText(254),
    password: requiredText(1024),
    code: signInCodeField,
    organisation: signInOrganisationField,
    mode: mode
      .default('live')
      .meta({ description: 'Mode of the session, which determines whether it accesses live or test records.' }),
  }),
  bodyExample: { email: 'alex@example.com', password: 'a long passphrase', mode: 'live' },
  replies: {
    200: sessionReply('The started session; its cookie is in `Set-Cookie`.'),
  },
  errors: {
    401: 'The credentials are invalid, or the user has a second factor: `second_factor_required`, `second_factor_invalid`.',
    409: '`organisation_required`: several organisations have an account with this email address and password; `details.organisations` names them.',
    403: 'The request does not come from an allowed origin, or the user has no role in either API.',
  },
  async handle(context, { body }) {
    const { platform } = context;
    requireAllowedOrigin(platform.config, context.header('origin') ?? null);
    const devices = createCookieJar(platform.config, DEVICE_COOKIE);
    const client = readSignInClient(context, devices.read(context.header('cookie') ?? null));
    const opened = await openBrowserSession(platform, { ...body, client });
    return {
      status: 200,
      headers: {
        'Set-Cookie': [setConsoleCookie(platform, opened), devices.set(opened.deviceToken, DEVICE_TOKEN_SECONDS)],
      },
      body: presentSession(opened),
    };
  },
});

const logout = defineRoute({
  method: 'post',
  path: '/v1/auth/logout',
  operationId: 'logoutFromConsole',
  summary: 'End the browser session',
  description: 'The session ends immediately in both APIs, on every replica.',
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  whileRestricted: true,
  replies: { 200: { description: 'The session has ended.', schema: z.object({}), example: {} } },
  async handle({ platform, credential }) {
    if (credential.browser === null)
      throw unauthorizedError('Only a browser session can be ended; revoke the API key instead.');
    return { status: 200, headers: await endBrowserSession(platform, credential.browser), body: {} };
  },
});

const switchMode = defineRoute({
  method: 'post',
  path: '/v1/auth/mode',
  operationId: 'switchConsoleMode',
  summary: 'Switch between live and test mode',
  description:
    'Replaces the session by one in the other mode: cookie and CSRF token change, so that a page that still shows the earlier mode cannot write. The expiry stays that of the sign-in. In its own mode a session only gets a new cookie.',
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  body: z.strictObject({ mode }),
  bodyExample: { mode: 'test' },
  replies: { 200: sessionReply('The new session; its cookie is in `Set-Cookie`.') },
  async handle({ platform, credential: { browser } }, { body }) {
    if (browser === null)
      throw unauthorizedError('Only a browser session has a mode; a key of the other mode is another.');
    const opened = await switchSessionMode(platform, browser, body.mode);
    return {
      status: 200,
      headers: { 'Set-Cookie': setConsoleCookie(platform, opened) },
      body: presentSession(opened),
    };
  },
});

const joinUiAddress = (uiUrl: string, namespace: string): string =>
  `${uiUrl.replace(/\/+$/, '')}/namespaces/${encodeURIComponent(namespace)}`;

const me = defineRoute({
  method: 'get',
  path: '/v1/auth/me',
  operationId: 'getCredential',
  summary: 'Get the signed-in user',
  description: 'Also works with an API key: then `user` is null and `key` describes the key.',
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  whileRestricted: true,
  replies: {
    200: {
      description: 'The credential, its organisation, mode and permissions in both APIs.',
      schema: z.object({
        user: userSchema.nullable(),
        key: z.object({ id: z.string(), name: z.string() }).nullable(),
        organisation: z.object({ id: z.string(), name: z.string() }),
        mode,
        ...permissionFields,
        restriction,
        csrfToken: csrfToken.nullable(),
        expiresAt: z.iso.datetime().nullable().meta({ description: 'End of the browser session; null for a key.' }),
        temporalUi: z.string().nullable().meta({
          description: 'Address of the namespace in the Temporal UI (`TEMPORAL_UI_URL`); null if it is not configured.',
        }),
      }),
      example: {
        user: exampleUser,
        key: null,
        organisation: { id: 'org_01JQZ4R8W3M6N9P2T5V8X1Y4Z7', name: 'Example GmbH' },
        mode: 'live',
        ...EXAMPLE_PERMISSIONS,
        restriction: null,
        csrfToken: 'f1d2…',
        expiresAt: '2026-11-21T22:00:00.000Z',
        temporalUi: 'https://temporal.example.com/namespaces/vouch',
      },
    },
  },
  async handle({ platform, credential }) {
    const { TEMPORAL_UI_URL, TEMPORAL_NAMESPACE } = platform.config;
    const { _id: id, name } = await getOrganisation(credential.organisationId);
    const { browser, key } = credential;
    return {
      status: 200,
      body: {
        user: browser === null ? null : presentUser(browser),
        key: key === null ? null : { id: key.id, name: key.record.name },
        organisation: { id, name },
        mode: credential.mode,
        permissions: USER_PERMISSIONS.identity.filter((permission) => credential.permissions.has(permission)),
        businessPermissions: browser === null ? [] : [...listUserPermissions(browser.roles).business],
        restriction: credential.restriction,
        csrfToken: browser?.csrfToken ?? null,
        expiresAt: browser?.session.expiresAt.toISOString() ?? null,
        temporalUi: TEMPORAL_UI_URL === undefined ? null : joinUiAddress(TEMPORAL_UI_URL, TEMPORAL_NAMESPACE),
      },
    };
  },
});

const password = defineRoute({
  method: 'post',
  path: '/v1/auth/password',
  operationId: 'changeConsolePassword',
  summary: 'Change the password of the signed-in user',
  description: `Ends every other session of the user in both APIs. After ${MAX_ADDRESS_FAILURES} wrong current passwords, the password cannot be changed for ${MAX_DELAY_MINUTES} minutes.`,
  tag: 'Browser sessions',
  addition: true,
  permission: 'any',
  whileRestricted: true,
  limit: 'authentication',
  body: z.strictObject({
    currentPassword: requiredText(1024),
    newPassword: requiredText(1024).meta({ description: NEW_PASSWORD_DESCRIPTION }),
  }),
  bodyExample: { currentPassword: 'a long passphrase', newPassword: 'another long passphrase' },
  replies: { 200: { description: 'The password has been changed.', schema: z.object({}), example: {} } },
  async handle({ platform, credential: { browser } }, { body }) {
    if (browser === null) throw unauthorizedError('Only a signed-in user has a password.');
    const signedIn = { user: browser.user, sessionId: browser.session._id };
    await changePassword(platform, signedIn, body.currentPassword, body.newPassword);
    return { status: 200, body: {} };
  },
});

export const authRoutes: readonly Route[] = [login, logout, switchMode, me, password];
