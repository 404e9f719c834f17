import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { AppError } from '../../domain/errors';
import { isJournalFormat } from '../../domain/business/exports/exports';
import type { Cell } from '../../domain/business/exports/exports';
import { findBatchEnds, countSkippedDrafts, readPrintedFiles } from '../../services/business/exports/archive';
import type { PrintedFile } from '../../services/business/exports/archive';
import {
  beginExport,
  completeExport,
  isCompleted,
  recordFailureMessage,
  listExportParts,
  readRunningExport,
  readWritableExport,
  streamExportFile,
  EXPORT_STORAGE_FORMATS,
} from '../../services/business/exports/progress';
import type { RunningExport } from '../../services/business/exports/progress';
import { readExportEntries } from '../../services/business/exports/journal-source';
import { listExportColumns, readRows } from '../../services/business/exports/rows';
import type { Platform } from '../../services/platform/platform';
import { createStopCondition, withHeartbeat } from '../heartbeat';
import { ArchiveEncoder } from './archive-encoder';
import { prepareJournalEncoder } from './journal-encoder';
import type { PartEncoder } from './part-encoder';
import { TextPartEncoder } from './text-encoder';
import { WorkbookEncoder } from './workbook-encoder';
import { writeParts } from './write-parts';

/**
 * After this time an activity ends with the current part, so that a worker can shut down without waiting for a whole
 * export.
 */
const SLICE_MS = 20_000;
/** Number of documents printed by one activity. */
const PRINT_BATCH = 40;
/** Number of bytes decompressed at once for hashing. */
const READ_BYTES = 256 * 1024;

interface ExportReference {
  exportId: string;
}

function createRowEncoder(record: RunningExport): PartEncoder<Cell[]> {
  const { format, timeZone, writer, resource: title, createdAt } = record;
  const columns = listExportColumns(record);
  if (format === 'zip-pdf' || isJournalFormat(format))
    throw new AppError('invalid_request', 400, `The format ${format} has no rows.`);
  if (format === 'xlsx') return new WorkbookEncoder({ columns, timeZone, title, createdAt }, writer);
  return new TextPartEncoder(format, columns, timeZone, writer);
}

async function prepareArchiveEncoder(record: RunningExport): Promise<(now: RunningExport) => PartEncoder<PrintedFile>> {
  const { id: exportId, resource, filters, createdAt } = record;
  const { number = 1, count = 1 } = record.archive ?? {};
  const draftsLeftOut = await countSkippedDrafts(record);
  const file = count === 1 ? {} : { file: { number, count } };
  const metadata = { exportId, resource, filters, createdAt, draftsLeftOut, ...file };
  const readPreviousFiles = async () => (await listExportParts(record)).flatMap(({ files }) => files);
  return ({ writer }) => new ArchiveEncoder(writer, metadata, readPreviousFiles);
}

/**
 * Completes the object, and reads it once as it will be downloaded, so that the recorded size and hash are those of
 * the stored file.
 */
async function assembleFile(platform: Platform, record: RunningExport): Promise<void> {
  const { organisationId, objectKey, uploadId } = record;
  await platform.objects.completeUpload(objectKey, uploadId, await listExportParts(record));
  const stored = await streamExportFile(platform, organisationId, objectKey);
  if (stored === null) throw new AppError('object_lost', 503, 'The file is not in the object store.');
  const hash = createHash('sha256');
  let sizeBytes = 0;
  const count = async (chunks: AsyncIterable<Buffer>): Promise<void> => {
    for await (const chunk of chunks) {
      hash.update(chunk);
      sizeBytes += chunk.length;
    }
  };
  if (EXPORT_STORAGE_FORMATS[record.format].gzip)
    await pipeline(stored, createGunzip({ chunkSize: READ_BYTES }), count);
  else await pipeline(stored, count);
  await completeExport(platform, record, { sizeBytes, sha256: hash.digest('hex') });
}

/**
 * Write lists and archives to the object store. Every activity is idempotent and resumes after the last finished part.
 */
export const createExportActivities = (platform: Platform) => ({
  /** Determines the last row, counts the rows and starts the upload. */
  beginExport: ({ exportId }: ExportReference): Promise<void> => withHeartbeat(() => beginExport(platform, exportId)),

  /** @returns whether all rows are written; else the next activity continues. */
  writeExportRows: ({ exportId }: ExportReference): Promise<boolean> =>
    withHeartbeat(async () => {
      const record = await readWritableExport(exportId);
      if (!isJournalFormat(record.format))
        return writeParts(
          platform,
          exportId,
          { read: readRows, createEncoder: createRowEncoder },
          createStopCondition(SLICE_MS),
        );
      const createEncoder = await prepareJournalEncoder(record);
      return recordFailureMessage(exportId, () =>
        writeParts(platform, exportId, { read: readExportEntries, createEncoder }, createStopCondition(SLICE_MS)),
      );
    }),

  /** @returns the ids at which the batches of documents to be printed end. */
  planArchive: ({ exportId }: ExportReference): Promise<number[]> =>
    withHeartbeat(async () => findBatchEnds(await readRunningExport(exportId), PRINT_BATCH)),

  /** Adds printed documents to the archive. @returns whether all have been added; else the next activity continues. */
  packArchive: ({ exportId }: ExportReference): Promise<boolean> =>
    withHeartbeat(async () => {
      const createEncoder = await prepareArchiveEncoder(await readWritableExport(exportId));
      const read = (record: RunningExport, after: unknown) =>
        readPrintedFiles(platform, record, typeof after === 'number' ? after : 0);
      return writeParts(platform, exportId, { read, createEncoder }, createStopCondition(SLICE_MS));
    }),

  /** Completes the file and emits the event that it is available, once. */
  finishExport: ({ exportId }: ExportReference): Promise<void> =>
    withHeartbeat(async () => {
      if (!(await isCompleted(exportId))) await assembleFile(platform, await readWritableExport(exportId));
    }),
});

export type ExportActivities = ReturnType<typeof createExportActivities>;
