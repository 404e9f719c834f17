import type { KeyCredential } from '../services/platform/api-keys';
import type { Scope } from '../services/platform/platform';

/** Who a request acts for, and what it may do. The tenant comes from here and from nowhere else. */
export interface Credential extends Scope {
  /** Id of the API key or of the user's sign-in. */
  readonly id: string;
  readonly kind: 'api_key' | 'user';
  readonly permissions: ReadonlySet<string>;
  /** The key, when one was presented. */
  readonly key: KeyCredential | null;
  /** The signed-in user (`usr_…`), when a bearer token was presented. */
  readonly userId: string | null;
}

/** What a client presented. */
export interface Presented {
  bearer: string | null;
  apiKey: string | null;
  /** The client's address, after trusted proxies. */
  address: string;
}

export const credentialOfKey = (key: KeyCredential): Credential => ({
  id: key.id,
  kind: 'api_key',
  organisationId: key.organisationId,
  mode: key.mode,
  permissions: key.permissions,
  key,
  userId: null,
});
