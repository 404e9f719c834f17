import type { BackupVault } from '../../../lib/backup/vault';
import { VERSION } from '../../../lib/version';
import type { Platform } from '../platform';
import { backUpKeys, verifyKeys } from './keys';
import { buildBackupId, describeMasterKey, readManifest, writeManifest } from './manifest';
import type { BackupManifest } from './manifest';
import { backUpObjects, verifyObjects } from './objects';
import { backUpRecords, verifyCollection } from './records';
import { removeIfFailed, removeOutdated } from './retention';
import type { RemovedBackups } from './retention';

/** What a backup contains. */
export interface BackupReport extends RemovedBackups {
  id: string;
  /** The point in time that the records are of. */
  at: string;
  collections: number;
  records: number;
  objects: number;
  /** Entries of the key store. */
  keys: number;
  /** Organisations whose data is encrypted with keys that the key store does not have. */
  organisationsWithoutKeys: string[];
  /** Bytes of records and objects, before encryption. */
  bytes: number;
}

const NOTHING_REMOVED: RemovedBackups = { removed: [], removedInterrupted: [] };

function describe(
  { id, at, collections, objects }: BackupManifest,
  { keys, organisationsWithoutKeys = [] }: Pick<BackupReport, 'keys'> & Partial<BackupReport>,
  removed = NOTHING_REMOVED,
): BackupReport {
  const records = collections.reduce((total, { documents }) => total + documents, 0);
  const bytes = collections.reduce((total, each) => total + each.bytes, objects.bytes);
  return {
    id,
    at,
    collections: collections.length,
    records,
    objects: objects.count,
    keys,
    organisationsWithoutKeys,
    bytes,
    ...removed,
  };
}

/** Writes everything that belongs to a backup, its manifest last. */
async function writeBackup(platform: Platform, vault: BackupVault, id: string, schemaVersion: number) {
  const { collections, at } = await backUpRecords(vault, id, platform.logger);
  const objects = await backUpObjects(platform, vault, id);
  const { count: keys, organisationsWithoutKeys } = await backUpKeys(platform, vault);
  const masterKey = describeMasterKey(platform);
  const manifest = { id, at: at.toISOString(), release: VERSION, schemaVersion, masterKey, collections, objects };
  await writeManifest(vault, manifest);
  return { manifest, keys, organisationsWithoutKeys };
}

/**
 * Writes records, objects and keys, while the service runs. The records are of one point in time; objects and keys are
 * copied afterwards, so that what the records name is among them.
 * @param schemaVersion of the database
 * @param keep number of backups that remain, with this one; all if it is undefined, or if the key store was lost
 */
export async function backUp(
  platform: Platform,
  vault: BackupVault,
  schemaVersion: number,
  keep?: number,
): Promise<BackupReport> {
  const now = platform.clock.now();
  const id = buildBackupId(now);
  const written = await removeIfFailed(vault, id, () => writeBackup(platform, vault, id, schemaVersion));
  const { manifest, keys, organisationsWithoutKeys } = written;
  const isOlderNeeded = keep === undefined || organisationsWithoutKeys.length > 0;
  const removed = isOlderNeeded ? NOTHING_REMOVED : await removeOutdated(vault, keep, now);
  return describe(manifest, { keys, organisationsWithoutKeys }, removed);
}

/**
 * Reads a whole backup and compares it with its checksums.
 * @param id of the backup, or `latest`
 * @throws Error naming what is not as it was written
 */
export async function verifyBackup(vault: BackupVault, id: string): Promise<BackupReport> {
  const manifest = await readManifest(vault, id);
  for (const collection of manifest.collections) await verifyCollection(vault, manifest.id, collection);
  await verifyObjects(vault, manifest.id, manifest.objects);
  return describe(manifest, { keys: await verifyKeys(vault) });
}
