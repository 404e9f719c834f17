import { AppError } from '../../../domain/errors';
import { newId } from '../../../lib/ids';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import type { AmlListChangeRecord } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import type { Platform } from '../../platform/platform';
import { buildListId, findReservedFormats, PUBLISHED_LISTS } from './catalogue';
import { detectFormat, PARSERS } from './formats/detection';
import type { ListFormat } from './formats/detection';
import { createEmptyCounts } from './formats/source';
import type { ListCounts, ListSource } from './formats/source';
import { readPublicationDate } from './formats/publication-date';
import { readBeginning, loadCurrentEntries, readList } from './reading';
import type { ListReading } from './reading';
import { buildSnapshotKey, compressSnapshot, storeSnapshot } from './snapshot';
import { discardVersion } from './version-sweep';
import { recordFetch, recordUnchanged, publishVersion } from './versions';
import type { ListFields } from './versions';

/** A list that lost this share of its entries is held, because a broken file is more likely than such a change. */
const HOLD_THRESHOLD = 0.5;

/** Source of a fetched list with the validators for later conditional requests. */
export interface FetchedSource {
  url: string;
  etag: string | null;
  lastModified: string | null;
}

export interface ListImportInput {
  code: string;
  /** Owner of the list; null for the whole installation. */
  organisationId: string | null;
  source: ListSource;
  title?: string | undefined;
  /** Source from which the list is fetched periodically from now on. */
  from?: FetchedSource | undefined;
  /** Actor for the audit log. @default `system` */
  actor?: string | undefined;
}

/** Result of an import in counts. */
export interface ImportReport extends ListCounts {
  list: string;
  version: string | null;
  /** `rejected`: the same content was rejected by an operator before and is not held again. */
  status: 'current' | 'held' | 'unchanged' | 'rejected';
  format: string;
  added: number;
  changed: number;
  removed: number;
}

const buildReservedError = (code: string, owner: string): AppError =>
  new AppError('reserved_list', 400, `${code} is the code of ${owner}; choose another code for this list.`);

/**
 * Rejects a file that does not have the format of the publisher under whose code it is imported. A file of another format, such
 * as an organisation's own list or that of another publisher, would otherwise replace the publisher's list in searches.
 * @throws AppError 400 `reserved_list`
 */
function requireFormatOfCode({ code, organisationId }: ListImportInput, format: ListFormat): void {
  const formats = findReservedFormats(code);
  if (organisationId !== null || formats === null || formats.includes(format)) return;
  const expected = formats.length === 0 ? '' : ` in ${formats.join(' or ')}`;
  throw buildReservedError(code, `a published list${expected}, and this file is ${format}`);
}

/**
 * Requests name lists by their code, so the code of a list of the installation is not that of an organisation's own.
 * @throws AppError 400 `reserved_list`
 */
async function requireDistinctCode({ code, organisationId }: ListImportInput): Promise<void> {
  if (organisationId !== null && findReservedFormats(code) !== null) throw buildReservedError(code, 'a published list');
  const owned: object = { code, organisationId: organisationId === null ? { $ne: null } : null };
  const other = await AmlList.findOne(owned, { organisationId: 1 }).lean<Pick<AmlListRecord, 'organisationId'>>();
  if (other === null) return;
  const owner = other.organisationId === null ? 'a list of the installation' : `a list of ${other.organisationId}`;
  throw buildReservedError(code, owner);
}

async function ensureList(input: ListImportInput): Promise<AmlListRecord> {
  const { code, organisationId } = input;
  const _id = buildListId(code, organisationId);
  // Earlier versions accepted equal codes; such lists are still imported.
  if ((await AmlList.exists({ _id })) === null) await requireDistinctCode(input);
  const title = input.title ?? PUBLISHED_LISTS[code]?.title ?? code;
  return AmlList.findOneAndUpdate(
    { _id },
    { $setOnInsert: { code, organisationId, title, revision: 0 } },
    { upsert: true, returnDocument: 'after' },
  ).lean<AmlListRecord>();
}

/** The source fields of a list, once it is known which version the response created. */
function buildListFields(input: ListImportInput, versionId: string | null, now: Date): ListFields {
  const title = input.title === undefined ? {} : { title: input.title };
  // After an import from a file the content of the source is unknown, and the next fetch is unconditional.
  if (input.from === undefined) return { ...title, etag: null, lastModified: null, sourceVersion: null };
  const { url, etag, lastModified } = input.from;
  return { ...title, sourceUrl: url, etag, lastModified, sourceVersion: versionId, fetchedAt: now };
}

/** A version with the same entries that is held, or that an operator rejected when this source delivered it. */
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

/** Rows per insert. */
const INSERT_BATCH_SIZE = 5000;

/**
 * Stores the changes of a version. The first version of a list has no predecessor, and a row per entry would be
 * redundant.
 */
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
  /** Number of entries of the version in use. */
  before: number;
}

/**
 * Stores a version invisibly and then publishes it. Its record is written first, so that the clean-up finds whatever an
 * interrupted import leaves; publishing is one transaction.
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
    await storeSnapshot(platform, objectKey, await compressSnapshot(reading.entries.values()));
    // A held version from an operator's file describes the source only once it is put into use.
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
 * Imports a list as the version in use, atomically, with its differences from the previous version. A list that shrank
 * by half is held until it is confirmed, replacing any version held before; a list with the same entries only updates
 * the time of the check.
 *
 * @throws AppError 400 `reserved_list` for the code of another list, 422 for a file that is not a list or has no entries,
 * 409 if another import came first
 */
export async function importList(platform: Platform, input: ListImportInput): Promise<ImportReport> {
  const beginning = await readBeginning(input.source);
  const format = detectFormat(beginning);
  const publishedAt = readPublicationDate(format, beginning);
  requireFormatOfCode(input, format);
  const list = await ensureList(input);
  const currentEntries = await loadCurrentEntries(platform, list);
  const now = platform.clock.now();
  const counts = createEmptyCounts();
  const reading = await readList(PARSERS[format](input.source, counts), currentEntries, now.toISOString());
  if (reading.entries.size === 0) throw new AppError('invalid_list', 422, 'The file contains no entries.');
  const differences = {
    added: countChanges(reading, 'added'),
    changed: countChanges(reading, 'changed'),
    removed: countChanges(reading, 'removed'),
  };
  const report = { list: input.code, format, ...counts, ...differences };
  if (reading.changes.length === 0 && currentEntries.size > 0) {
    // A held version from an operator's file waits for the operator, whatever the source reports.
    const clearsHeld = input.from === undefined || list.heldVersion === list.sourceVersion;
    const fields = buildListFields(input, list.currentVersion, now);
    await recordUnchanged(platform, list, { fields, publishedAt, clearsHeld });
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
    publishedAt,
    impact: null,
  };
  await storeAndPublish(platform, input, { list, version, reading, before: currentEntries.size }, status);
  return { ...report, version: versionId, status };
}
