import type { BrowserCredential } from '../../services/platform/access/browser-sessions';
import type { KeyCredential } from '../../services/platform/access/api-keys';
import type { Scope } from '../../services/platform/platform';

/** Who a request acts for, and what it may do. The tenant comes from here and from nowhere else. */
export interface Credential extends Scope {
  /** Id of the API key or of the user's sign-in. */
  readonly id: string;
  readonly kind: 'api_key' | 'user';
  readonly permissions: ReadonlySet<string>;
  /** The key, when one was presented. */
  readonly key: KeyCredential | null;
  /** The browser's session, when its cookie was presented. */
  readonly browser: BrowserCredential | null;
  /** The signed-in user (`usr_…`), when a bearer token or a cookie was presented. */
  readonly userId: string | null;
}

export interface BrowserHeaders {
  cookie: string | null;
  origin: string | null;
  csrfToken: string | null;
  /** Whether the request may change something: any method but GET and HEAD. */
  isUnsafe: boolean;
}

/** What a client presented. */
export interface PresentedCredentials {
  bearer: string | null;
  apiKey: string | null;
  /** What a browser adds by itself, and what only a page of ours can add. */
  browser: BrowserHeaders;
  /** The client's address, after trusted proxies. */
  address: string;
}

export const buildCredentialFromKey = (key: KeyCredential): Credential => ({
  id: key.id,
  kind: 'api_key',
  organisationId: key.organisationId,
  mode: key.mode,
  permissions: key.permissions,
  key,
  browser: null,
  userId: null,
});
