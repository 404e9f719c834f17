import { createInterface } from 'node:readline';
import { Readable } from 'node:stream';
import { createGunzip, createGzip } from 'node:zlib';
import type { IndexedEntry } from '../../../domain/identity/aml/list-index';
import type { Platform } from '../../platform/platform';

/** Object key of a version's entries: compressed JSON, one entry per line. */
export const buildSnapshotKey = (listId: string, versionId: string): string => `lists/${listId}/${versionId}.ndjson.gz`;

/** Compresses entries one at a time. */
export async function compressSnapshot(entries: Iterable<IndexedEntry>): Promise<Buffer> {
  const lines = function* (): Iterable<string> {
    for (const entry of entries) yield `${JSON.stringify(entry)}\n`;
  };
  const chunks: Buffer[] = [];
  for await (const chunk of Readable.from(lines()).pipe(createGzip({ level: 6 }))) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Iterates over the entries of a snapshot. */
export async function* readSnapshot(snapshot: Buffer): AsyncIterable<IndexedEntry> {
  const lines = createInterface({ input: Readable.from([snapshot]).pipe(createGunzip()), crlfDelay: Infinity });
  for await (const line of lines) if (line !== '') yield JSON.parse(line) as IndexedEntry;
}

/** The bytes of a stored version. @throws Error if the store has lost it */
export async function loadSnapshot(platform: Platform, objectKey: string): Promise<Buffer> {
  const snapshot = await platform.objects.get(objectKey);
  if (snapshot === null) throw new Error(`The snapshot ${objectKey} is not in the object store.`);
  return snapshot;
}
