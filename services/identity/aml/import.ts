import { AppError, conflict, notFound } from '../../../domain/errors';
import type { WatchEntry } from '../../../domain/aml/entry';
import type { IndexedEntry } from '../../../domain/aml/list-index';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { newId } from '../../../lib/ids';
import { AmlList } from '../../../models/identity/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml-list';
import { AmlListChange } from '../../../models/identity/aml-list-change';
import type { AmlListChangeRecord } from '../../../models/identity/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml-list-version';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform } from '../../platform/platform';
import { transact } from '../../platform/unit-of-work';
import type { UnitOfWork } from '../../platform/unit-of-work';
import { isReservedCode, listIdOf, PUBLISHED_LISTS } from './catalogue';
import { detectFormat, PARSERS } from './formats/detection';
import { noCounts } from './formats/source';
import type { ListCounts, ListSource } from './formats/source';
import { compressSnapshot, loadSnapshot, readSnapshot, snapshotKey } from './snapshot';

/** Under whose name the workflows of the installation's own lists run. */
const INSTALLATION = 'installation';
/** A list that lost this share of its entries is held: more likely a broken file than a change of the world. */
const HELD_BELOW = 0.5;
const DETECTED_BYTES = 4096;
/** Versions whose entries are kept: the one in use and the one before it, for readers that are just loading it. */
const KEPT_VERSIONS = 2;

export interface ImportInput {
  code: string;
  /** null: for the whole installation */
  organisationId: string | null;
  source: ListSource;
  title?: string | undefined;
  /** fetched from here again and again from now on */
  sourceUrl?: string | undefined;
  etag?: string | null;
  lastModified?: string | null;
}

/** What an import did, in counts. */
export interface ImportReport extends ListCounts {
  list: string;
  version: string | null;
  status: 'current' | 'held' | 'unchanged';
  format: string;
  added: number;
  changed: number;
  removed: number;
}

/** The first few thousand characters of a list. */
export async function beginningOf(source: ListSource): Promise<string> {
  const stream = source.open();
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    chunks.push(chunk as Buffer);
    length += (chunk as Buffer).length;
    if (length >= DETECTED_BYTES) break;
  }
  return Buffer.concat(chunks).toString('utf8').slice(0, DETECTED_BYTES);
}

interface Known {
  hash: string;
  firstSeen: string;
  lastChanged: string;
  caption: string;
}

/** What the version in use says of each entry. */
async function knownEntries(platform: Platform, list: AmlListRecord | null): Promise<Map<string, Known>> {
  const known = new Map<string, Known>();
  if (list?.currentVersion == null) return known;
  const version = await AmlListVersion.findById(list.currentVersion).lean<AmlListVersionRecord>();
  if (version === null) return known;
  for await (const entry of readSnapshot(await loadSnapshot(platform, version.objectKey))) {
    const { id, hash, firstSeen, lastChanged, caption } = entry;
    known.set(id, { hash, firstSeen, lastChanged, caption });
  }
  return known;
}

interface Reading {
  entries: Map<string, IndexedEntry>;
  counts: ListCounts;
  changes: Pick<AmlListChangeRecord, 'entryId' | 'kind' | 'caption'>[];
  sha256: string;
}

/** Ids are unique in their list; a file that repeats one means two entries. */
function uniqueId(entries: ReadonlyMap<string, unknown>, id: string): string {
  let [unique, copy] = [id, 2];
  while (entries.has(unique)) unique = `${id}#${copy++}`;
  return unique;
}

/** Reads a list and compares it, entry by entry, with the version in use. */
async function read(
  parsed: AsyncIterable<WatchEntry>,
  counts: ListCounts,
  known: ReadonlyMap<string, Known>,
  now: string,
): Promise<Reading> {
  const entries = new Map<string, IndexedEntry>();
  const changes: Reading['changes'] = [];
  for await (const entry of parsed) {
    const id = uniqueId(entries, entry.id);
    const hash = sha256Hex(JSON.stringify(entry));
    const before = known.get(id);
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
  for (const [id, { caption }] of known) {
    if (!entries.has(id)) changes.push({ entryId: id, kind: 'removed', caption });
  }
  const sha256 = sha256Hex(
    [...entries.values()]
      .map(({ id, hash }) => `${id}:${hash}`)
      .sort()
      .join('\n'),
  );
  return { entries, counts, changes, sha256 };
}

/** Makes a version the one in use, and owes a look at what it means for monitored subjects. */
async function makeCurrent(
  platform: Platform,
  unit: UnitOfWork,
  list: AmlListRecord,
  versionId: string,
  also: Partial<AmlListRecord>,
): Promise<void> {
  const at = platform.clock.now();
  await AmlListVersion.updateMany(
    { listId: list._id, status: { $in: ['current', 'held'] }, _id: { $ne: versionId } },
    { $set: { status: 'superseded' } },
    { session: unit.session },
  );
  const written = await AmlList.updateOne(
    { _id: list._id, revision: list.revision },
    {
      $set: { ...also, currentVersion: versionId, heldVersion: null, importedAt: at, checkedAt: at, failure: null },
      $inc: { revision: 1 },
    },
    { session: unit.session },
  );
  if (written.matchedCount === 0) throw conflict('list_changed', 'Another import of the list came first; try again.');
  await unit.start(list.organisationId ?? INSTALLATION, {
    workflow: 'amlListChanged',
    workflowId: workflowIds.amlListChanged(versionId),
    argument: { versionId },
    summary: `New version of ${list.code}`,
  });
}

async function ensureList(input: ImportInput): Promise<AmlListRecord> {
  const { code, organisationId } = input;
  if (organisationId !== null && isReservedCode(code)) {
    throw new AppError('reserved_list', 400, `${code} is the name of a published list; choose another for your own.`);
  }
  const title = input.title ?? PUBLISHED_LISTS[code]?.title ?? code;
  const list = await AmlList.findOneAndUpdate(
    { _id: listIdOf(code, organisationId) },
    { $setOnInsert: { code, organisationId, title, revision: 0 } },
    { upsert: true, returnDocument: 'after' },
  ).lean<AmlListRecord>();
  return list;
}

/** Superseded versions keep their counts; their entries go. */
async function removeOldSnapshots(platform: Platform, listId: string): Promise<void> {
  const versions = await AmlListVersion.find({ listId, status: { $in: ['superseded', 'rejected'] } })
    .sort({ _id: -1 })
    .skip(KEPT_VERSIONS - 1)
    .lean<AmlListVersionRecord[]>();
  for (const { objectKey } of versions) await platform.objects.remove(objectKey);
}

async function record(
  platform: Platform,
  list: AmlListRecord,
  version: AmlListVersionRecord,
  also: Partial<AmlListRecord>,
): Promise<void> {
  await transact(platform, async (unit) => {
    await AmlListVersion.create([version], { session: unit.session });
    if (version.status === 'current') return makeCurrent(platform, unit, list, version._id, also);
    await AmlList.updateOne(
      { _id: list._id, revision: list.revision },
      { $set: { heldVersion: version._id, checkedAt: platform.clock.now() }, $inc: { revision: 1 } },
      { session: unit.session },
    );
  });
  if (version.status === 'current') await removeOldSnapshots(platform, list._id);
}

/**
 * Reads a list and makes it the version in use, all at once, with its differences from the one before. One that has
 * shrunk by half is held until {@link confirmHeld}; one with the same entries changes nothing but when it was checked.
 *
 * @throws AppError 422 for a file that is no list or holds no entries
 */
export async function importList(platform: Platform, input: ImportInput): Promise<ImportReport> {
  const format = detectFormat(await beginningOf(input.source));
  const list = await ensureList(input);
  const known = await knownEntries(platform, list);
  const now = platform.clock.now();
  const counts = noCounts();
  const reading = await read(PARSERS[format](input.source, counts), counts, known, now.toISOString());
  if (reading.entries.size === 0) throw new AppError('invalid_list', 422, 'The file holds no entries.');
  const also = {
    ...(input.title === undefined ? {} : { title: input.title }),
    ...(input.sourceUrl === undefined ? {} : { sourceUrl: input.sourceUrl }),
    etag: input.etag ?? null,
    lastModified: input.lastModified ?? null,
  };
  const count = (kind: AmlListChangeRecord['kind']): number =>
    reading.changes.filter((change) => change.kind === kind).length;
  const differences = { added: count('added'), changed: count('changed'), removed: count('removed') };
  const report = { list: input.code, format, ...counts, ...differences };
  if (reading.changes.length === 0 && known.size > 0) {
    await AmlList.updateOne({ _id: list._id }, { $set: { ...also, checkedAt: now, failure: null } });
    return { ...report, version: list.currentVersion, status: 'unchanged' };
  }

  const versionId = newId('alv');
  const objectKey = snapshotKey(list._id, versionId);
  await platform.objects.put(objectKey, await compressSnapshot(reading.entries.values()), 'application/gzip');
  // A first version has nothing to differ from, and a row for every entry would say nothing.
  if (known.size > 0) {
    await AmlListChange.insertMany(
      reading.changes.map((change, at) => ({
        _id: `${versionId}.${String(at).padStart(7, '0')}`,
        listId: list._id,
        versionId,
        ...change,
      })),
    );
  }
  const status = reading.entries.size <= known.size * HELD_BELOW ? 'held' : 'current';
  await record(
    platform,
    list,
    {
      _id: versionId,
      listId: list._id,
      status,
      format,
      sha256: reading.sha256,
      objectKey,
      counts,
      differences,
      importedAt: now,
      impact: null,
    },
    also,
  );
  return { ...report, version: versionId, status };
}

async function heldVersion(listId: string): Promise<{ list: AmlListRecord; versionId: string }> {
  const list = await AmlList.findById(listId).lean<AmlListRecord>();
  if (list?.heldVersion == null) throw notFound('held version of that list');
  return { list, versionId: list.heldVersion };
}

/** Lets a held version into use. @throws AppError 404 where none is held */
export async function confirmHeld(platform: Platform, listId: string): Promise<string> {
  const { list, versionId } = await heldVersion(listId);
  await transact(platform, async (unit) => {
    await AmlListVersion.updateOne({ _id: versionId }, { $set: { status: 'current' } }, { session: unit.session });
    await makeCurrent(platform, unit, list, versionId, {});
  });
  return versionId;
}

/** Throws a held version away. @throws AppError 404 where none is held */
export async function rejectHeld(platform: Platform, listId: string): Promise<string> {
  const { versionId } = await heldVersion(listId);
  await transact(platform, async (unit) => {
    const of = { session: unit.session };
    await AmlListVersion.updateOne({ _id: versionId }, { $set: { status: 'rejected' } }, of);
    await AmlList.updateOne({ _id: listId, heldVersion: versionId }, { $set: { heldVersion: null } }, of);
  });
  return versionId;
}
