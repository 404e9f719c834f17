import type { WatchListEntry } from '../../../domain/identity/aml/entry';
import type { IndexedEntry } from '../../../domain/identity/aml/list-index';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import type { AmlListChangeRecord } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import type { Platform } from '../../platform/platform';
import type { ListSource } from './formats/source';
import { loadSnapshot, readSnapshot } from './snapshot';

const DETECTION_BYTES = 4096;

/** The first few thousand characters of a list. */
export async function readBeginning(source: ListSource): Promise<string> {
  const stream = source.open();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= DETECTION_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, DETECTION_BYTES);
}

/** An entry of the version in use. */
export interface CurrentEntry {
  hash: string;
  firstSeen: string;
  lastChanged: string;
  caption: string;
}

/** The entries of the version in use by id; empty if there is none. */
export async function loadCurrentEntries(platform: Platform, list: AmlListRecord): Promise<Map<string, CurrentEntry>> {
  const entries = new Map<string, CurrentEntry>();
  if (list.currentVersion === null) return entries;
  const version = await AmlListVersion.findById(list.currentVersion).lean<AmlListVersionRecord>();
  if (version === null) return entries;
  for await (const entry of readSnapshot(await loadSnapshot(platform, version.objectKey))) {
    const { id, hash, firstSeen, lastChanged, caption } = entry;
    entries.set(id, { hash, firstSeen, lastChanged, caption });
  }
  return entries;
}

/** A parsed list and its differences from the version in use. */
export interface ListReading {
  entries: Map<string, IndexedEntry>;
  changes: Pick<AmlListChangeRecord, 'entryId' | 'kind' | 'caption'>[];
  /** SHA-256 of the entries, independent of the order and formatting of the file. */
  sha256: string;
}

/** Ids are unique in a list; a file that repeats one contains two entries. */
function createUniqueId(entries: ReadonlyMap<string, unknown>, id: string): string {
  let [unique, copy] = [id, 2];
  while (entries.has(unique)) unique = `${id}#${copy++}`;
  return unique;
}

/**
 * Reads a list and compares each entry with the version in use.
 * @param now instant of the import, ISO 8601
 */
export async function readList(
  parsed: AsyncIterable<WatchListEntry>,
  currentEntries: ReadonlyMap<string, CurrentEntry>,
  now: string,
): Promise<ListReading> {
  const entries = new Map<string, IndexedEntry>();
  const changes: ListReading['changes'] = [];
  for await (const entry of parsed) {
    const id = createUniqueId(entries, entry.id);
    const hash = sha256Hex(JSON.stringify(entry));
    const before = currentEntries.get(id);
    const same = before?.hash === hash;
    entries.set(id, {
      ...entry,
      id,
      hash,
      firstSeen: before?.firstSeen ?? now,
      lastChanged: same ? before.lastChanged : now,
    });
    if (!same) changes.push({ entryId: id, kind: before === undefined ? 'added' : 'changed', caption: entry.caption });
  }
  for (const [id, { caption }] of currentEntries) {
    if (!entries.has(id)) changes.push({ entryId: id, kind: 'removed', caption });
  }
  const lines = [...entries.values()].map(({ id, hash }) => `${id}:${hash}`);
  return { entries, changes, sha256: sha256Hex(lines.sort().join('\n')) };
}
