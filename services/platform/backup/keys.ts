import { z } from 'zod';
import { decodeDocument, encodeDocument, splitDocuments } from '../../../lib/backup/documents';
import type { BackupVault } from '../../../lib/backup/vault';
import { ConfigError } from '../../../lib/config-error';
import { findKeyedOrganisation, listOrganisationsWithoutKeys, parseSealedWrappingKey } from '../evidence/wrapping-keys';
import type { Platform } from '../platform';

/**
 * One copy for all backups of a target, replaced with each: an older copy would let erased people be read whose wrapping
 * keys have been removed since.
 */
const FILE = 'keys.veb';

const entrySchema = z.object({ name: z.string(), body: z.instanceof(Buffer) });

type KeyStoreContext = Pick<Platform, 'keyStore'>;

type Entry = z.infer<typeof entrySchema>;

async function* readEntries(vault: BackupVault): AsyncGenerator<Entry> {
  for await (const raw of splitDocuments(vault.read(FILE))) yield entrySchema.parse(decodeDocument(raw));
}

/**
 * The entries of the copy that the key store has lost: the keys of these organisations, and entries that belong to no
 * organisation. Organisations that still have keys are left out: a key that one of them lacks was removed on purpose.
 * @param organisations those that have lost all their keys; none are read if there is no such organisation
 */
async function* readLostEntries(
  { keyStore }: KeyStoreContext,
  vault: BackupVault,
  organisations: readonly string[],
): AsyncGenerator<Entry> {
  if (organisations.length === 0 || !(await vault.list(FILE)).includes(FILE)) return;
  for await (const entry of readEntries(vault)) {
    const organisationId = findKeyedOrganisation(entry.name);
    const isNeeded = organisationId === null || organisations.includes(organisationId);
    if (isNeeded && (await keyStore.read(entry.name)) === null) yield entry;
  }
}

async function* readKeyStore({ keyStore }: KeyStoreContext): AsyncGenerator<Entry> {
  for await (const name of keyStore.list('')) {
    const body = await keyStore.read(name);
    if (body !== null) yield { name, body };
  }
}

/**
 * Writes the entries of the key store: the wrapping keys, which the master key encrypts, and the log of erasures. If the
 * key store was lost, what the earlier copy has of it is kept: nothing else can decrypt the data.
 */
export async function backUpKeys(
  platform: KeyStoreContext,
  vault: BackupVault,
): Promise<{ count: number; organisationsWithoutKeys: string[] }> {
  const organisationsWithoutKeys = await listOrganisationsWithoutKeys(platform);
  const kept: Entry[] = [];
  for await (const entry of readLostEntries(platform, vault, organisationsWithoutKeys)) kept.push(entry);
  let count = kept.length;
  const entries = async function* (): AsyncGenerator<Buffer> {
    for (const entry of kept) yield encodeDocument(entry);
    for await (const entry of readKeyStore(platform)) {
      count += 1;
      yield encodeDocument(entry);
    }
  };
  await vault.write(FILE, entries());
  return { count, organisationsWithoutKeys };
}

/** Decrypts the copy of the keys. @returns the number of entries */
export async function verifyKeys(vault: BackupVault): Promise<number> {
  let count = 0;
  for await (const _entry of readEntries(vault)) count += 1;
  return count;
}

/**
 * The copy is of the latest backup: after a rotation of the master key an older backup needs two of them.
 * @throws ConfigError naming the master key that encrypts the copy and is not configured
 */
export async function requireReadableKeys(
  { masterKey }: Pick<Platform, 'masterKey'>,
  vault: BackupVault,
): Promise<void> {
  for await (const { name, body } of readEntries(vault)) {
    if (findKeyedOrganisation(name) === null) continue;
    const sealed = parseSealedWrappingKey(name, body);
    try {
      masterKey.open(sealed, sealed.aad);
    } catch {
      throw new ConfigError(
        `MASTER_KEY: the copy of the keys (${FILE}) needs the master key ${sealed.keyId} of the latest backup, too.`,
      );
    }
  }
}

/** Whether the key store has nothing, so that all of it is restored. */
export async function isKeyStoreEmpty({ keyStore }: KeyStoreContext): Promise<boolean> {
  for await (const _name of keyStore.list('')) return false;
  return true;
}

/**
 * Restores the key store if it was lost. One that exists is left as it is, except for organisations that have no key left:
 * what it has no longer was removed for good.
 * @returns the number of entries written; null if the key store has lost nothing
 */
export async function restoreKeys(platform: KeyStoreContext, vault: BackupVault): Promise<number | null> {
  const lost = await listOrganisationsWithoutKeys(platform);
  const isLost = await isKeyStoreEmpty(platform);
  if (!isLost && lost.length === 0) return null;
  let written = 0;
  for await (const { name, body } of isLost ? readEntries(vault) : readLostEntries(platform, vault, lost)) {
    await platform.keyStore.write(name, body);
    written += 1;
  }
  return written;
}
