import { z } from 'zod';
import { decodeDocument, encodeDocument, splitDocuments } from '../../../lib/backup/documents';
import type { BackupVault } from '../../../lib/backup/vault';
import type { Platform } from '../platform';

/**
 * One copy for all backups of a target, replaced with each: an older copy would let erased people be read whose wrapping
 * keys have been removed since.
 */
const FILE = 'keys.veb';

const entrySchema = z.object({ name: z.string(), body: z.instanceof(Buffer) });

/** Writes the entries of the key store: the wrapping keys, which the master key encrypts, and the log of erasures. */
export async function backUpKeys({ keyStore }: Platform, vault: BackupVault): Promise<number> {
  let count = 0;
  const entries = async function* (): AsyncGenerator<Buffer> {
    for await (const name of keyStore.list('')) {
      const body = await keyStore.read(name);
      if (body === null) continue;
      count += 1;
      yield encodeDocument({ name, body });
    }
  };
  await vault.write(FILE, entries());
  return count;
}

async function* readEntries(vault: BackupVault): AsyncGenerator<z.infer<typeof entrySchema>> {
  for await (const raw of splitDocuments(vault.read(FILE))) yield entrySchema.parse(decodeDocument(raw));
}

/** Decrypts the copy of the keys. @returns the number of entries */
export async function verifyKeys(vault: BackupVault): Promise<number> {
  let count = 0;
  for await (const _entry of readEntries(vault)) count += 1;
  return count;
}

async function isEmpty({ keyStore }: Platform): Promise<boolean> {
  for await (const _name of keyStore.list('')) return false;
  return true;
}

/**
 * Restores the key store if it was lost. One that exists is left as it is: what it has no longer was removed for good.
 * @returns the number of entries written; null if the key store exists
 */
export async function restoreKeys(platform: Platform, vault: BackupVault): Promise<number | null> {
  if (!(await isEmpty(platform))) return null;
  let written = 0;
  for await (const { name, body } of readEntries(vault)) {
    await platform.keyStore.write(name, body);
    written += 1;
  }
  return written;
}
