import type { CaptureBrowserRecord } from '../../models/identity/capture/capture-browser';
import type { BrowserCredential } from '../../services/platform/access/browser-sessions';
import type { KeyCredential } from '../../services/platform/access/api-keys';
import { findRestriction } from '../../services/platform/access/restrictions';
import type { AccountRestriction } from '../../services/platform/access/restrictions';
import { listUserPermissions } from '../../services/platform/access/user-roles';
import type { UserRoles } from '../../services/platform/access/user-roles';
import type { Scope } from '../../services/platform/platform';
import type { BrowserHeaders, CookieJar } from './browser';

/** The authenticated caller of a request with its permissions. The tenant is taken only from the credential. */
export interface Credential extends Scope {
  /** Id of the API key, of the user, or of the browser on the capture page. */
  readonly id: string;
  readonly kind: 'api_key' | 'user' | 'person';
  readonly permissions: ReadonlySet<string>;
  /** The API key, if the request has one. */
  readonly key: KeyCredential | null;
  /** The browser session, if the request has its cookie. */
  readonly browser: BrowserCredential | null;
  /** The browser of a person on the capture page. */
  readonly capture?: CaptureBrowserRecord;
  /** The signed-in user (`usr_…`), if the request has a bearer token or a cookie. */
  readonly userId: string | null;
  /** Id of the user's session. */
  readonly sessionId: string | null;
  /** Why the user can only complete the account. */
  readonly restriction: AccountRestriction | null;
}

/** The credentials in a request, not yet verified. */
export interface PresentedCredentials {
  bearer: string | null;
  apiKey: string | null;
  /** Headers that browsers add, and the CSRF token. */
  browser: BrowserHeaders;
  /** IP address of the client, resolved through trusted proxies. */
  address: string;
}

/** Whether the cookie of a browser session is the only credential of a request. */
export const isBrowserRequest = ({ bearer, apiKey, browser }: PresentedCredentials, jar: CookieJar): boolean =>
  bearer === null && apiKey === null && jar.read(browser.cookie) !== null;

/** A person signed in from a browser, with the permissions of the user's role in one API, in the mode of the session. */
export const buildCredentialFromBrowser = (browser: BrowserCredential, api: keyof UserRoles): Credential => ({
  id: browser.user._id,
  kind: 'user',
  organisationId: browser.session.organisationId,
  mode: browser.session.mode,
  permissions: new Set<string>(listUserPermissions(browser.roles)[api]),
  key: null,
  browser,
  userId: browser.user._id,
  sessionId: browser.session._id,
  restriction: findRestriction(browser.user),
});

/** A caller with an API key: its permissions and mode are those of the key, and no user stands behind it. */
export const buildCredentialFromKey = (key: KeyCredential): Credential => ({
  id: key.id,
  kind: 'api_key',
  organisationId: key.organisationId,
  mode: key.mode,
  permissions: key.permissions,
  key,
  browser: null,
  userId: null,
  sessionId: null,
  restriction: null,
});
