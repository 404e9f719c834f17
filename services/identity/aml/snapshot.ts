import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import { buffer } from 'node:stream/consumers';
import type { IndexedEntry } from '../../../domain/identity/aml/list-index';
import { INSTALLATION } from '../../../domain/platform/installation';
import { getEncrypted, putEncrypted } from '../../platform/evidence/encrypted-objects';
import type { Platform } from '../../platform/platform';

/** Ends the keys of encrypted snapshots; earlier versions stored snapshots as they are. */
const ENCRYPTED_SUFFIX = '.enc';

/** Object key of a version's entries: compressed JSON, one entry per line, encrypted. */
export const buildSnapshotKey = (listId: string, versionId: string): string =>
  `lists/${listId}/${versionId}.ndjson.gz${ENCRYPTED_SUFFIX}`;

/** The organisation whose key encrypts a snapshot: the ids of its own lists begin with its id and a dot. */
function getOwner(objectKey: string): string {
  const listId = objectKey.split('/')[1] ?? '';
  return listId.includes('.') ? listId.slice(0, listId.indexOf('.')) : INSTALLATION;
}

/** Encrypts and stores a snapshot. */
export const storeSnapshot = (platform: Platform, objectKey: string, snapshot: Buffer): Promise<void> =>
  putEncrypted(platform, getOwner(objectKey), objectKey, snapshot);

/** Compresses entries one at a time. */
export function compressSnapshot(entries: Iterable<IndexedEntry>): Promise<Buffer> {
  const lines = function* (): Iterable<string> {
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
  };
  return buffer(Readable.from(lines()).pipe(createGzip({ level: 6 })));
}

/** Iterates over the entries of a snapshot. */
export async function* readSnapshot(snapshot: Buffer): AsyncIterable<IndexedEntry> {
  const lines = createInterface({ input: Readable.from([snapshot]).pipe(createGunzip()), crlfDelay: Infinity });
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as IndexedEntry;
}

/** The bytes of a stored version. @throws Error if the store has lost or altered it */
export async function loadSnapshot(platform: Platform, objectKey: string): Promise<Buffer> {
  const snapshot = objectKey.endsWith(ENCRYPTED_SUFFIX)
    ? await getEncrypted(platform, getOwner(objectKey), objectKey)
    : await platform.objects.get(objectKey);
  if (snapshot === null) throw new Error(`The snapshot ${objectKey} is not in the object store, or was altered.`);
  return snapshot;
}
