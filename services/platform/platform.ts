import type { Client } from '@temporalio/client';
import type { Clock } from '../../lib/clock';
import type { ChangeFeed } from '../../lib/change-feed';
import type { Config } from '../../lib/config';
import type { MasterKey } from '../../lib/crypto/master-key';
import type { KeyStore } from '../../lib/key-store';
import type { Logger } from '../../lib/logger';
import type { ObjectStore } from '../../lib/object-store';
import type { VersionedStore } from '../../lib/versioned-store';
import type { Singletons } from './singletons';

/** Dependencies of every use case; created once per process and passed in, never imported as a global. */
export interface Platform {
  /** Id of this process; see `ProcessHeartbeat`. */
  readonly processId: string;
  readonly config: Config;
  readonly logger: Logger;
  readonly clock: Clock;
  readonly objects: ObjectStore;
  /** Signed heads of audit chains. */
  readonly auditHeads: VersionedStore;
  /** Wrapping keys of the organisations, apart from the data that they protect. */
  readonly keyStore: KeyStore;
  readonly temporal: Client;
  readonly masterKey: MasterKey;
  readonly changes: ChangeFeed;
  readonly singletons: Singletons;
}

/** The tenant a request acts for. It comes from the credential, never from the request. */
export interface Scope {
  readonly organisationId: string;
  readonly mode: 'live' | 'test';
}

/** The scope of a record or caller alone, for use in a filter. */
export const toScope = ({ organisationId, mode }: Scope): Scope => ({ organisationId, mode });

/** Who acts: an API key, a signed-in user, or the service itself (`system`). */
export interface Actor {
  readonly id: string;
  readonly permissions: ReadonlySet<string>;
}
