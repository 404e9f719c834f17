import type { Readable } from 'node:stream';
import type { ClientSession } from 'mongoose';
import { AppError, conflictError, notFoundError } from '../../../domain/errors';
import { Metrics } from '../../../lib/metrics/metrics';
import { Export, ExportPart } from '../../../models/business/exports/export';
import type { ArchivedFile, ExportKey, ExportPartRecord, ExportRecord } from '../../../models/business/exports/export';
import { sealObjectPart, streamEncrypted } from '../../platform/evidence/encrypted-objects';
import { emitEvent } from '../../platform/webhooks/events';
import type { Platform } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { countArchivedDocuments } from './archive';
import { countRows, findHighestKey } from './rows';
import { DAY_MS } from '../../../domain/durations';

/** Key prefix of the export files of an organisation. */
export const EXPORT_FOLDER = 'exports';

/** Ends the keys of encrypted files; earlier versions stored exports as they are. */
const ENCRYPTED_SUFFIX = '.enc';

/** How each format is stored, before encryption. Text is stored compressed, and decompressed for clients that do not accept gzip. */
export const EXPORT_STORAGE_FORMATS = {
  csv: { extension: 'csv', contentType: 'text/csv; charset=utf-8', gzip: true },
  json: { extension: 'json', contentType: 'application/json', gzip: true },
  ndjson: { extension: 'ndjson', contentType: 'application/x-ndjson', gzip: true },
  xlsx: {
    extension: 'xlsx',
    contentType: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
    gzip: false,
  },
  'zip-pdf': { extension: 'zip', contentType: 'application/zip', gzip: false },
  datev: { extension: 'csv', contentType: 'text/csv; charset=windows-1252', gzip: true },
  'saf-t': { extension: 'xml', contentType: 'application/xml', gzip: true },
} as const;

const exportEndedError = () => conflictError('export_ended', 'The export was cancelled or has ended.');

/** @throws AppError 404 `not_found`; 409 `export_ended` if the export is not in progress */
export async function readRunningExport(exportId: string): Promise<ExportRecord> {
  const record = await Export.findById(exportId).lean<ExportRecord>();
  if (record === null) throw notFoundError('export');
  if (record.state !== 'running') throw exportEndedError();
  return record;
}

/** A started export and its upload. */
export type RunningExport = ExportRecord & { objectKey: string; uploadId: string };

/** @throws AppError as {@link readRunningExport}; 409 `export_ended` if the export has not been started */
export async function readWritableExport(exportId: string): Promise<RunningExport> {
  const record = await readRunningExport(exportId);
  const { objectKey, uploadId } = record;
  if (objectKey === null || uploadId === null) throw exportEndedError();
  return { ...record, objectKey, uploadId };
}

async function measureExport(record: ExportRecord): Promise<Pick<ExportRecord, 'highestKey' | 'rowsTotal'>> {
  const highestKey = record.archive?.until ?? (await findHighestKey(record));
  const bounded = { ...record, highestKey };
  const count = record.format === 'zip-pdf' ? countArchivedDocuments : countRows;
  return { highestKey, rowsTotal: await count(bounded) };
}

/**
 * Starts an export: determines the last row, counts the rows and starts the upload. Idempotent.
 * @throws AppError 404; 409 `export_ended`
 */
export async function beginExport(platform: Platform, exportId: string): Promise<void> {
  const record = await Export.findById(exportId).lean<ExportRecord>();
  if (record === null) throw notFoundError('export');
  if (record.state === 'running') return;
  if (record.state !== 'queued') throw exportEndedError();
  const bounds = await measureExport(record);
  const { extension } = EXPORT_STORAGE_FORMATS[record.format];
  const objectKey = `${record.organisationId}/${EXPORT_FOLDER}/${exportId}.${extension}${ENCRYPTED_SUFFIX}`;
  const uploadId = await platform.objects.beginUpload(objectKey, 'application/octet-stream');
  const now = platform.clock.now();
  const begun = await Export.updateOne(
    { _id: exportId, state: 'queued' },
    { $set: { ...bounds, state: 'running', objectKey, uploadId, startedAt: now, updatedAt: now } },
  );
  if (begun.matchedCount === 1) return;
  // The export has been cancelled, or started by another attempt: this upload is not used.
  await platform.objects.abortUpload(objectKey, uploadId);
  await readRunningExport(exportId);
}

/** The state from which the next part continues. */
export interface FinishedPart {
  body: Buffer;
  rows: number;
  lastKey: ExportKey | null;
  writer: unknown;
  files: ArchivedFile[];
  /** Whether it is the last part. */
  last: boolean;
}

/** The stored file of an export, decrypted; null if it is lost. */
export const streamExportFile = (
  platform: Platform,
  organisationId: string,
  objectKey: string,
): Promise<Readable | null> =>
  objectKey.endsWith(ENCRYPTED_SUFFIX)
    ? streamEncrypted(platform, organisationId, objectKey)
    : platform.objects.stream(objectKey);

/** Encrypts a part, unless its export was started by an earlier version. */
const sealPart = (
  platform: Platform,
  { organisationId, objectKey, parts }: RunningExport,
  { body, last }: FinishedPart,
): Promise<Buffer> =>
  objectKey.endsWith(ENCRYPTED_SUFFIX)
    ? sealObjectPart(platform, organisationId, objectKey, body, { number: parts + 1, last })
    : Promise.resolve(body);

/**
 * Checks that an export, of which a part was not recorded, is still running: then another attempt was first. Otherwise its
 * upload is aborted once more. A part that was on its way while the export was cleared can be stored after the abort (AWS
 * documents it for AbortMultipartUpload); the sweep would remove it a day later.
 * @throws AppError 409 `export_ended`
 */
async function assertOvertaken(platform: Platform, { _id, objectKey, uploadId }: RunningExport): Promise<void> {
  if ((await Export.exists({ _id, state: 'running' })) !== null) return;
  await platform.objects.abortUpload(objectKey, uploadId);
  throw exportEndedError();
}

/**
 * Takes a part number for one attempt to write the next part. Each attempt has its own: one that was interrupted and
 * continues later, with rows that have changed since, overwrites no part that another attempt has recorded.
 * @returns undefined if another attempt was first or the export has ended
 */
async function takePartNumber({ _id, parts }: RunningExport): Promise<number | undefined> {
  // Exports that an earlier version has started have recorded parts, but no number.
  const next = { $add: [{ $max: ['$lastPartNumber', '$parts'] }, 1] };
  const taken = await Export.findOneAndUpdate({ _id, state: 'running', parts }, [{ $set: { lastPartNumber: next } }], {
    returnDocument: 'after',
    updatePipeline: true,
  }).lean<ExportRecord>();
  return taken?.lastPartNumber;
}

/** Records an uploaded part. @returns null if another attempt was first or the export has ended */
async function recordPart(
  platform: Platform,
  record: RunningExport,
  part: FinishedPart,
  { number, etag }: { number: number; etag: string },
): Promise<ExportRecord | null> {
  const { _id, organisationId } = record;
  const sizeBytes = part.body.length;
  const row: Omit<ExportPartRecord, '_id'> = {
    organisationId,
    exportId: _id,
    number,
    etag,
    sizeBytes,
    rows: part.rows,
    files: part.files,
  };
  // The progress of an archive counts printed documents.
  const done = record.format === 'zip-pdf' ? {} : { rowsDone: record.rowsDone + part.rows };
  const progress = { lastKey: part.lastKey, writer: part.writer, written: part.last, parts: record.parts + 1, ...done };
  const now = platform.clock.now();
  return runTransaction(platform, async ({ mongoSession }) => {
    const updated = await Export.findOneAndUpdate(
      { _id, state: 'running', parts: record.parts },
      { $set: { ...progress, storedBytes: record.storedBytes + sizeBytes, updatedAt: now } },
      { session: mongoSession, returnDocument: 'after' },
    ).lean<ExportRecord>();
    if (updated !== null) await ExportPart.create([row], { session: mongoSession });
    return updated;
  });
}

/**
 * Encrypts and uploads the next part and records it in one transaction.
 * @returns the updated export; null if nothing was recorded, since another attempt has recorded this part: Temporal may
 * have given that attempt up, so the caller continues after what it has recorded
 * @throws AppError 409 `export_ended` if the export was cancelled or has ended
 */
export async function savePart(
  platform: Platform,
  record: RunningExport,
  part: FinishedPart,
): Promise<RunningExport | null> {
  const { objectKey, uploadId } = record;
  const sealed = await sealPart(platform, record, part);
  const number = await takePartNumber(record);
  if (number !== undefined) {
    const etag = await platform.objects.uploadPart(objectKey, uploadId, number, sealed);
    const saved = await recordPart(platform, record, part, { number, etag });
    if (saved !== null) return { ...saved, objectKey, uploadId };
  }
  await assertOvertaken(platform, record);
  return null;
}

/** The finished parts of an export, in order. */
export const listExportParts = ({ _id, organisationId }: ExportRecord): Promise<ExportPartRecord[]> =>
  ExportPart.find({ organisationId, exportId: _id }).sort({ number: 1 }).lean<ExportPartRecord[]>();

/** Records the number of printed documents of an archive, which never decreases. */
export async function recordPrintedCount(platform: Platform, exportId: string, documents: number): Promise<void> {
  await Export.updateOne(
    { _id: exportId, state: 'running' },
    { $max: { rowsDone: documents }, $set: { updatedAt: platform.clock.now() } },
  );
}

/** Counts an ended export; the time counts only for a file. */
function countExport(platform: Platform, record: ExportRecord, outcome: 'completed' | 'failed', at: Date): void {
  const { exports, exportDuration } = platform.singletons.get(Metrics).instruments;
  const { format, createdAt } = record;
  exports.inc({ format, outcome });
  if (outcome === 'completed') exportDuration.observe({ format }, (at.getTime() - createdAt.getTime()) / 1000);
}

/** Emits the event of an ended export, and counts it. */
async function emitOutcome(
  unit: UnitOfWork,
  record: ExportRecord,
  outcome: 'completed' | 'failed',
  at: Date,
): Promise<void> {
  const { organisationId, _id, id, resource, format, rowsDone, failure } = record;
  await emitEvent(
    unit,
    { organisationId, mode: 'live' },
    {
      type: outcome === 'completed' ? 'export.completed' : 'export.failed',
      data: { exportId: id, resource, format, rows: rowsDone, failure },
      key: `export.${outcome}:${_id}`,
      subjectId: _id,
      at,
    },
  );
  unit.afterCommit(() => countExport(unit.platform, record, outcome, at));
}

/** Whether the export is completed: an earlier attempt has completed it, and its report was lost. */
export const isCompleted = async (exportId: string, mongoSession: ClientSession | null = null): Promise<boolean> =>
  (await Export.exists({ _id: exportId, state: 'completed' }).session(mongoSession)) !== null;

/**
 * Marks the export as completed, with the size and hash of the downloaded file and its expiry. One that another attempt
 * has completed does not change.
 * @throws AppError 409 `export_ended`
 */
export async function completeExport(
  platform: Platform,
  record: ExportRecord,
  file: { sizeBytes: number; sha256: string },
): Promise<void> {
  const now = platform.clock.now();
  const expiresAt = new Date(now.getTime() + platform.config.EXPORT_RETENTION_DAYS * DAY_MS);
  await runTransaction(platform, async (unit) => {
    const set = { ...file, state: 'completed' as const, completedAt: now, updatedAt: now, expiresAt, writer: null };
    const completed = await Export.findOneAndUpdate(
      { _id: record._id, state: 'running' },
      { $set: set },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<ExportRecord>();
    if (completed !== null) return emitOutcome(unit, completed, 'completed', now);
    if (!(await isCompleted(record._id, unit.mongoSession))) throw exportEndedError();
  });
}

/**
 * Marks an export in progress as failed; one that has ended in the meantime does not change.
 * @param reason error code
 */
export async function failExport(platform: Platform, exportId: string, reason: string): Promise<void> {
  const now = platform.clock.now();
  await runTransaction(platform, async (unit) => {
    const failed = await Export.findOneAndUpdate(
      { _id: exportId, state: { $in: ['queued', 'running'] } },
      { $set: { state: 'failed', failure: reason, completedAt: now, updatedAt: now } },
      { session: unit.mongoSession, returnDocument: 'after' },
    ).lean<ExportRecord>();
    if (failed !== null) await emitOutcome(unit, failed, 'failed', now);
  });
}

/** Codes of failures whose message names what to change, such as a document, and is shown with the export. */
const EXPLAINED_FAILURES: ReadonlySet<string> = new Set(['datev_amount_too_large']);

/** Writes an export, and records the message of a failure that its owner can remedy. */
export async function recordFailureMessage<T>(exportId: string, write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof AppError && EXPLAINED_FAILURES.has(error.code))
      await Export.updateOne({ _id: exportId, state: 'running' }, { $set: { failureMessage: error.message } });
    throw error;
  }
}

/** Removes the objects of an export from the object store and records the removal. */
async function removeObjects(platform: Platform, record: ExportRecord): Promise<void> {
  const { _id: exportId, objectKey, uploadId, organisationId } = record;
  if (objectKey !== null) {
    if (uploadId !== null) await platform.objects.abortUpload(objectKey, uploadId);
    await platform.objects.remove(objectKey);
  }
  await ExportPart.deleteMany({ organisationId, exportId });
  await Export.updateOne({ _id: exportId }, { $set: { clearedAt: platform.clock.now(), writer: null } });
}

/**
 * Removes what a failed or cancelled export left in the object store. The file of a completed one is kept, even if its
 * workflow has failed: the event `export.completed` has announced it.
 */
export async function clearExport(platform: Platform, exportId: string): Promise<void> {
  const ended = { _id: exportId, state: { $in: ['failed', 'cancelled'] as const } };
  const record = await Export.findOne(ended).lean<ExportRecord>();
  if (record !== null) await removeObjects(platform, record);
}

/** Removes the file of a completed export whose time is over. */
export async function removeExpiredFile(platform: Platform, exportId: string): Promise<void> {
  const expired = { _id: exportId, state: 'completed', expiresAt: { $lte: platform.clock.now() } } as const;
  const record = await Export.findOne(expired).lean<ExportRecord>();
  if (record !== null) await removeObjects(platform, record);
}
