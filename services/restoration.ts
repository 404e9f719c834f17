import { ConfigError } from '../lib/config-error';
import type { BackupVault } from '../lib/backup/vault';
import { SchemaState } from '../models/platform/migrations/schema-state';
import { repeatErasures } from './identity/erasure/erasure-log';
import { migrateDatabase } from './migrations';
import { verifyBackup } from './platform/backup/backup';
import type { BackupReport } from './platform/backup/backup';
import { readManifest, requireMasterKey } from './platform/backup/manifest';
import type { BackupManifest } from './platform/backup/manifest';
import { isKeyStoreEmpty, requireReadableKeys, restoreKeys } from './platform/backup/keys';
import { restoreObjects } from './platform/backup/objects';
import { listFilledCollections, restoreCollection } from './platform/backup/records';
import { SCHEMA_VERSION } from './platform/migrations/schema-state';
import type { Platform } from './platform/platform';
import { listOtherProcesses } from './platform/transactions/process-heartbeat';
import { resumeWorkflows } from './resumption';

/** What a restoration did. */
export interface RestorationReport {
  id: string;
  /** The point in time that the records are of. */
  at: string;
  records: number;
  /** Objects that the store did not have. */
  objects: number;
  /** Entries of the key store; null if it exists and was left as it is. */
  keys: number | null;
  /** Version of the schema of the backup, and now. */
  schema: { from: number; to: number };
  /** Records that were erased after the backup was made, and are erased again. */
  erasuresRepeated: number;
  /** Records whose workflows were started again, by kind. */
  resumed: Record<string, number>;
}

/** Parts that can be restored alone, next to a database that is intact. */
export const RESTORABLE_PARTS = ['keys', 'objects'] as const;

/**
 * Other processes would work on half of the records, and remove files whose records are not restored yet.
 * @throws ConfigError naming them
 */
async function requireNoOtherProcess(platform: Platform): Promise<void> {
  const names = await listOtherProcesses(platform);
  if (names.length > 0)
    throw new ConfigError(
      `MONGO_URL: other processes use the database (${names.join(', ')}); stop them, and restore five seconds later.`,
    );
}

/** @throws ConfigError for a backup of a newer version */
function requireKnownSchema({ release, schemaVersion }: BackupManifest): void {
  if (schemaVersion > SCHEMA_VERSION)
    throw new ConfigError(
      `The backup was made by Vouch ${release} with schema version ${schemaVersion}; this version knows ${SCHEMA_VERSION}. Restore it with that version.`,
    );
}

/**
 * Reads a whole backup and finds out whether it could be restored into empty engines, without reading or writing any
 * data: it is compared with its checksums, the master keys and this version.
 * @param id of the backup, or `latest`
 * @throws Error naming what keeps it from being restored
 */
export async function checkRestoration(
  context: Pick<Platform, 'masterKey'>,
  vault: BackupVault,
  id: string,
): Promise<BackupReport> {
  const manifest = await readManifest(vault, id);
  requireMasterKey(context, manifest);
  requireKnownSchema(manifest);
  await requireReadableKeys(context, vault);
  return verifyBackup(vault, manifest.id);
}

/**
 * Restores what was lost of one part: the key store if it is empty, or the objects that the store lacks.
 * @param id of the backup, or `latest`; of the keys there is only one copy
 */
export async function restorePart(
  platform: Platform,
  vault: BackupVault,
  id: string,
  part: (typeof RESTORABLE_PARTS)[number],
): Promise<{ id: string; keys: number | null } | { id: string; objects: number }> {
  const manifest = await readManifest(vault, id);
  requireMasterKey(platform, manifest);
  if (part === 'keys') {
    if (await isKeyStoreEmpty(platform)) await requireReadableKeys(platform, vault);
    return { id: manifest.id, keys: await restoreKeys(platform, vault) };
  }
  return { id: manifest.id, objects: await restoreObjects(platform, vault, manifest.id) };
}

/** @throws ConfigError for a database with records: nothing is merged or overwritten */
async function requireEmptyDatabase(): Promise<void> {
  const filled = await listFilledCollections();
  if (filled.length > 0)
    throw new ConfigError(
      `MONGO_URL: the database has records (${filled.slice(0, 5).join(', ')}); restore into an empty one, while no other process uses it.`,
    );
}

/**
 * Restores a backup into an empty database: keys if they were lost, objects that are missing, every record, each compared
 * with the backup. Then migrates the records to this version, erases again who was erased since, and starts the
 * workflows of open records.
 * @param id of the backup, or `latest`
 * @throws ConfigError naming what keeps the backup from being restored, before anything is written
 */
export async function restoreBackup(platform: Platform, vault: BackupVault, id: string): Promise<RestorationReport> {
  const manifest = await readManifest(vault, id);
  requireMasterKey(platform, manifest);
  await requireEmptyDatabase();
  await requireNoOtherProcess(platform);
  requireKnownSchema(manifest);
  if (await isKeyStoreEmpty(platform)) await requireReadableKeys(platform, vault);
  const keys = await restoreKeys(platform, vault);
  const objects = await restoreObjects(platform, vault, manifest.id);
  for (const collection of manifest.collections) await restoreCollection(vault, manifest.id, collection);
  await SchemaState.updateOne({ _id: 'schema' }, { $set: { migratingProcess: null } });
  const { from, to } = await migrateDatabase(platform);
  const erasuresRepeated = await repeatErasures(platform);
  const resumed = await resumeWorkflows(platform);
  const records = manifest.collections.reduce((total, { documents }) => total + documents, 0);
  return { id: manifest.id, at: manifest.at, records, objects, keys, schema: { from, to }, erasuresRepeated, resumed };
}
