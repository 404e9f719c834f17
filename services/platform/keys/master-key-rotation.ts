import { ProcessHeartbeat } from '../../../models/platform/transactions/process-heartbeat';
import type { Platform } from '../platform';
import { retainDerivedKeys } from './retained-keys';
import { SEALED_STORES } from './sealed-stores';
import type { SealedStore } from './sealed-store';

const BATCH_SIZE = 500;
/** Records that a report names for each store; the rest are only counted. */
const MAX_NAMED_RECORDS = 20;

/** What one store has under which master key. */
export interface StoreReport {
  store: string;
  /** Secrets that this run encrypted again. */
  rewrapped: number;
  /** Secrets under other master keys than the current one, by the id of the key. */
  remaining: Record<string, number>;
  /** Records with secrets that could not be decrypted, at most twenty. */
  unreadable: string[];
}

export interface RotationReport {
  /** Id of the master key that encrypts now. */
  current: string;
  /** Whether every other master key can be removed from the configuration. */
  done: boolean;
  stores: StoreReport[];
  /** Running processes that still encrypt with another key: restart them with the new configuration. */
  outdatedProcesses: { id: string; name: string; masterKeyId: string | null }[];
}

export interface RotationOptions {
  /** Only reports what remains, and changes nothing. */
  reportOnly: boolean;
  /** @default 500 */
  batchSize?: number | undefined;
  /** Receives the progress of each batch. */
  onProgress?: (store: string, rewrapped: number) => void;
}

async function countRemaining(platform: Platform, store: SealedStore): Promise<Record<string, number>> {
  const counts = await store.countByKey(platform);
  return Object.fromEntries([...counts].filter(([keyId]) => keyId !== platform.masterKey.currentKeyId));
}

const isEmpty = (remaining: Record<string, number>): boolean => Object.keys(remaining).length === 0;

/** Repeats passes until nothing remains or a pass changes nothing, because processes write at the same time. */
async function rotateStore(
  platform: Platform,
  store: SealedStore,
  { batchSize = BATCH_SIZE, onProgress = () => undefined }: RotationOptions,
): Promise<StoreReport> {
  let rewrapped = 0;
  for (;;) {
    const before = rewrapped;
    const pass = await store.rewrap(platform, batchSize, (count) => onProgress(store.name, before + count));
    rewrapped += pass.rewrapped;
    const remaining = await countRemaining(platform, store);
    if (isEmpty(remaining) || pass.rewrapped === 0)
      return { store: store.name, rewrapped, remaining, unreadable: pass.unreadable.slice(0, MAX_NAMED_RECORDS) };
  }
}

async function reportStore(
  platform: Platform,
  store: SealedStore,
  { batchSize = BATCH_SIZE }: RotationOptions,
): Promise<StoreReport> {
  const remaining = await countRemaining(platform, store);
  const unreadable = isEmpty(remaining) ? [] : await store.findUnreadable(platform, batchSize, MAX_NAMED_RECORDS);
  return { store: store.name, rewrapped: 0, remaining, unreadable };
}

/** Running processes whose current master key is another one; they would go on encrypting with it. */
async function findOutdatedProcesses(currentKeyId: string): Promise<RotationReport['outdatedProcesses']> {
  const processes = await ProcessHeartbeat.find({
    masterKeyId: { $ne: currentKeyId },
    $expr: { $gt: ['$aliveUntil', '$$NOW'] },
  }).lean<{ _id: string; name: string; masterKeyId?: string | null }[]>();
  return processes.map(({ _id: id, name, masterKeyId }) => ({ id, name, masterKeyId: masterKeyId ?? null }));
}

/**
 * Encrypts everything that is sealed with a replaced master key again with the current one, while the service runs. It
 * can be stopped at any time and run again: what is done is not repeated. `done` only if no secret is left under another
 * key and no running process encrypts with another key.
 */
export async function rotateMasterKey(platform: Platform, options: RotationOptions): Promise<RotationReport> {
  const { currentKeyId: current } = platform.masterKey;
  if (!options.reportOnly) await retainDerivedKeys(platform);
  // Read before the stores are counted: a process that is up to date by then writes no secret under an old key while they are.
  const outdatedProcesses = await findOutdatedProcesses(current);
  const stores: StoreReport[] = [];
  for (const store of SEALED_STORES)
    stores.push(
      await (options.reportOnly ? reportStore(platform, store, options) : rotateStore(platform, store, options)),
    );
  const done = outdatedProcesses.length === 0 && stores.every(({ remaining }) => isEmpty(remaining));
  return { current, done, stores, outdatedProcesses };
}
