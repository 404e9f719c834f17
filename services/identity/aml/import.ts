import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import type { AmlListChangeRecord } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import type { Platform } from '../../platform/platform';
import { isReservedCode, buildListId, PUBLISHED_LISTS } from './catalogue';
import { detectFormat, PARSERS } from './formats/detection';
import { createEmptyCounts } from './formats/source';
import type { ListCounts, ListSource } from './formats/source';
import { readBeginning, loadCurrentEntries, readList } from './reading';
import type { ListReading } from './reading';
import { compressSnapshot, buildSnapshotKey } from './snapshot';
import { discardVersion } from './version-sweep';
import { recordFetch, recordUnchanged, publishVersion } from './versions';
import type { ListFields } from './versions';

/** A list that lost this share of its entries is held: more likely a broken file than a change of the world. */
const HOLD_THRESHOLD = 0.5;

/** Where a list was fetched from, with what tells later whether it still says the same. */
export interface FetchedSource {
  url: string;
  etag: string | null;
  lastModified: string | null;
}

export interface ListImportInput {
  code: string;
  /** null: for the whole installation */
  organisationId: string | null;
  source: ListSource;
  title?: string | undefined;
  /** fetched from here again and again from now on */
  from?: FetchedSource | undefined;
  /** who imports it, for the audit log; @default `system` */
  actor?: string | undefined;
}

/** What an import did, in counts. */
export interface ImportReport extends ListCounts {
  list: string;
  version: string | null;
  /** `rejected`: what an operator has thrown away before, which is not held again */
  status: 'current' | 'held' | 'unchanged' | 'rejected';
  format: string;
  added: number;
  changed: number;
  removed: number;
}

async function ensureList(input: ListImportInput): Promise<AmlListRecord> {
  const { code, organisationId } = input;
  if (organisationId !== null && isReservedCode(code)) {
    throw new AppError('reserved_list', 400, `${code} is the name of a published list; choose another for your own.`);
  }
  const title = input.title ?? PUBLISHED_LISTS[code]?.title ?? code;
  const list = await AmlList.findOneAndUpdate(
    { _id: buildListId(code, organisationId) },
    { $setOnInsert: { code, organisationId, title, revision: 0 } },
    { upsert: true, returnDocument: 'after' },
  ).lean<AmlListRecord>();
  return list;
}

/** What an import tells of the list's source, once it is known which version its answer made. */
function buildListFields(input: ListImportInput, versionId: string | null, now: Date): ListFields {
  const title = input.title === undefined ? {} : { title: input.title };
  // After a file from elsewhere it is not known what the source holds: it is asked for the whole of it.
  if (input.from === undefined) return { ...title, etag: null, lastModified: null, sourceVersion: null };
  const { url, etag, lastModified } = input.from;
  return { ...title, sourceUrl: url, etag, lastModified, sourceVersion: versionId, fetchedAt: now };
}

/** A version with just these entries that is held, or that an operator has rejected when this source brought it. */
const findSuspectedVersion = (
  input: ListImportInput,
  listId: string,
  sha256: string,
): Promise<AmlListVersionRecord | null> =>
  AmlListVersion.findOne({
    listId,
    sha256,
    status: { $in: input.from === undefined ? ['held'] : ['held', 'rejected'] },
  })
    .sort({ _id: -1 })
    .lean<AmlListVersionRecord>();

/** Rows written in one go. */
const INSERT_BATCH_SIZE = 5000;

/** What a version did to each entry. A first one has nothing to differ from, and a row for each would say nothing. */
async function storeChanges({ _id: versionId, listId }: AmlListVersionRecord, { changes }: ListReading): Promise<void> {
  for (let start = 0; start < changes.length; start += INSERT_BATCH_SIZE) {
    const rows = changes.slice(start, start + INSERT_BATCH_SIZE).map((change, at) => ({
      _id: `${versionId}.${String(start + at).padStart(7, '0')}`,
      listId,
      versionId,
      ...change,
    }));
    await AmlListChange.insertMany(rows);
  }
}

interface Comparison {
  list: AmlListRecord;
  version: AmlListVersionRecord;
  reading: ListReading;
  /** entries of the version in use */
  before: number;
}

/**
 * Stores a version that nobody sees yet, and then publishes it. Its record is written first, so that whatever a dying
 * process leaves is found by it; publishing is one transaction.
 */
async function storeAndPublish(
  platform: Platform,
  input: ListImportInput,
  { list, version, reading, before }: Comparison,
  status: 'current' | 'held',
): Promise<void> {
  const { _id: versionId, objectKey } = version;
  try {
    await AmlListVersion.create(version);
    if (before > 0) await storeChanges(version, reading);
    await platform.objects.put(objectKey, await compressSnapshot(reading.entries.values()), 'application/gzip');
    // What the operator's file that is held says of the source is known only once it is let into use.
    const fields =
      status === 'held' && input.from === undefined ? {} : buildListFields(input, versionId, version.importedAt);
    await publishVersion(platform, list, versionId, status, { actor: input.actor ?? 'system', fields });
  } catch (error) {
    await discardVersion(platform, version);
    throw error;
  }
}

const countChanges = ({ changes }: ListReading, kind: AmlListChangeRecord['kind']): number =>
  changes.filter((change) => change.kind === kind).length;

/**
 * Reads a list and makes it the version in use, all at once, with its differences from the one before. One that has
 * shrunk by half is held until it is confirmed, in place of any held before; one with the same entries changes nothing
 * but when it was checked.
 *
 * @throws AppError 422 for a file that is no list or holds no entries, 409 where another import came first
 */
export async function importList(platform: Platform, input: ListImportInput): Promise<ImportReport> {
  const format = detectFormat(await readBeginning(input.source));
  const list = await ensureList(input);
  const currentEntries = await loadCurrentEntries(platform, list);
  const now = platform.clock.now();
  const counts = createEmptyCounts();
  const reading = await readList(PARSERS[format](input.source, counts), currentEntries, now.toISOString());
  if (reading.entries.size === 0) throw new AppError('invalid_list', 422, 'The file holds no entries.');
  const differences = {
    added: countChanges(reading, 'added'),
    changed: countChanges(reading, 'changed'),
    removed: countChanges(reading, 'removed'),
  };
  const report = { list: input.code, format, ...counts, ...differences };
  if (reading.changes.length === 0 && currentEntries.size > 0) {
    // What an operator's file brought waits for the operator, whatever the source says.
    const clearsHeld = input.from === undefined || list.heldVersion === list.sourceVersion;
    await recordUnchanged(platform, list, buildListFields(input, list.currentVersion, now), clearsHeld);
    return { ...report, version: list.currentVersion, status: 'unchanged' };
  }
  const status = reading.entries.size <= currentEntries.size * HOLD_THRESHOLD ? 'held' : 'current';
  const suspected = status === 'held' ? await findSuspectedVersion(input, list._id, reading.sha256) : null;
  if (suspected !== null) {
    if (input.from !== undefined) await recordFetch(platform, list, buildListFields(input, suspected._id, now));
    return { ...report, version: suspected._id, status: suspected.status === 'rejected' ? 'rejected' : 'held' };
  }
  const versionId = newId('alv');
  const version: AmlListVersionRecord = {
    _id: versionId,
    listId: list._id,
    status: 'importing',
    format,
    sha256: reading.sha256,
    objectKey: buildSnapshotKey(list._id, versionId),
    pruned: false,
    counts,
    differences,
    importedAt: now,
    impact: null,
  };
  await storeAndPublish(platform, input, { list, version, reading, before: currentEntries.size }, status);
  return { ...report, version: versionId, status };
}
