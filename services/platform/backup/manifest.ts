import { json } from 'node:stream/consumers';
import { z } from 'zod';
import type { BackupVault } from '../../../lib/backup/vault';
import { ConfigError } from '../../../lib/config-error';
import type { Platform } from '../platform';
import { collectionSchema } from './records';
import { objectsSchema } from './objects';

/** What a backup consists of; written last, so that a backup without it is incomplete. */
const manifestSchema = z.object({
  id: z.string(),
  /** The point in time that the records are of. */
  at: z.iso.datetime(),
  /** Vouch that wrote it. */
  release: z.string(),
  schemaVersion: z.number().int(),
  /** The code of a known text under the master key: the records can be read with this key only. */
  masterKey: z.string(),
  collections: z.array(collectionSchema),
  objects: objectsSchema,
});

export type BackupManifest = z.infer<typeof manifestSchema>;

const FOLDER = 'backups/';
const MANIFEST = 'manifest.veb';

const buildName = (id: string): string => `${FOLDER}${id}/${MANIFEST}`;

const ID_PATTERN = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z$/;

/** Ids sort by time. */
export const buildBackupId = (now: Date): string => now.toISOString().replaceAll(/[:.]/g, '-');

const MARKED_TEXT = 'backup';

/** Identifies the master key in a manifest. */
export const describeMasterKey = ({ masterKey }: Platform): string => masterKey.authenticate(MARKED_TEXT, 'backup');

/** @throws ConfigError if the configured master keys do not decrypt what the backup contains */
export function requireMasterKey(
  { masterKey }: Pick<Platform, 'masterKey'>,
  { masterKey: code }: Pick<BackupManifest, 'masterKey'>,
): void {
  if (masterKey.isAuthentic(code, MARKED_TEXT, 'backup')) return;
  const [keyId = ''] = code.split(':');
  const other = masterKey.keyIds.includes(keyId) ? `; the configured key of this id is another one` : '';
  throw new ConfigError(`MASTER_KEY: the backup needs the master key ${keyId} with which it was made${other}.`);
}

/** Writes the list of what a backup contains, encrypted; a backup without it is incomplete. */
export async function writeManifest(vault: BackupVault, manifest: BackupManifest): Promise<void> {
  const text = Buffer.from(JSON.stringify(manifest), 'utf8');
  await vault.write(
    buildName(manifest.id),
    (async function* () {
      yield await Promise.resolve(text);
    })(),
  );
}

/** Ids of the complete backups of a target, oldest first. */
export async function listBackups(vault: BackupVault): Promise<string[]> {
  const names = await vault.list(FOLDER);
  return names
    .filter((name) => name.endsWith(`/${MANIFEST}`))
    .map((name) => name.slice(FOLDER.length, -MANIFEST.length - 1))
    .sort();
}

/** Ids of all backups that were begun, whether or not they are complete, oldest first. */
export async function listStartedBackups(vault: BackupVault): Promise<string[]> {
  // A folder that was not named by a backup is left alone.
  return (await vault.listFolders(FOLDER)).filter((name) => ID_PATTERN.test(name)).sort();
}

/**
 * Reads the manifest of a backup.
 * @param id of the backup, or `latest`
 * @throws ConfigError if there is none with this id
 */
export async function readManifest(vault: BackupVault, id: string): Promise<BackupManifest> {
  const ids = await listBackups(vault);
  const found = id === 'latest' ? ids.at(-1) : ids.find((each) => each === id);
  if (found === undefined)
    throw new ConfigError(
      `No complete backup is named ${id}; the target has ${ids.length === 0 ? 'none' : ids.join(', ')}.`,
    );
  return manifestSchema.parse(await json(vault.read(buildName(found))));
}

/** Removes a backup; its manifest first, so that an interrupted removal leaves nothing that looks complete. */
export async function removeBackup(vault: BackupVault, id: string): Promise<void> {
  await vault.remove(buildName(id));
  await vault.removeFolder(`${FOLDER}${id}/`);
}
