import type { Platform } from '../platform';

/** What the stores need of the platform. */
export type StoreContext = Pick<Platform, 'keyStore' | 'masterKey'>;

/** Result of one pass over a store. */
export interface RewrapResult {
  /** Secrets that are now encrypted with the current master key. */
  rewrapped: number;
  /** Records with a secret that could not be decrypted: its master key is not configured, or it was altered. */
  unreadable: string[];
}

/** A place with secrets that are encrypted with the master key. */
export interface SealedStore {
  /** Unique name: the collection and, if it has several such fields, the field. */
  readonly name: string;
  /** Source file that seals these secrets. */
  readonly sealedBy: string;
  /** Paths of the ids of the master key, as in mongoose schemas; empty for stores outside MongoDB. */
  readonly keyIdPaths: readonly string[];
  /** Number of secrets by id of the master key that encrypts them. */
  countByKey(context: StoreContext): Promise<Map<string, number>>;
  /**
   * Finds records with a secret of another key than the current one that cannot be decrypted, and changes nothing.
   * @param limit most records that are returned
   */
  findUnreadable(context: StoreContext, batchSize: number, limit: number): Promise<string[]>;
  /**
   * Encrypts every secret of another key again with the current one, in batches. A secret that was changed meanwhile is
   * left as it is; the next pass finds it.
   * @param onBatch receives the number of secrets that were encrypted again so far
   */
  rewrap(context: StoreContext, batchSize: number, onBatch: (rewrapped: number) => void): Promise<RewrapResult>;
}
