import { createHash } from 'node:crypto';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { Context } from '@temporalio/activity';
import { AppError } from '../../domain/errors';
import type { Cell } from '../../domain/business/exports/exports';
import { findBatchEnds, countSkippedDrafts, readPrintedFiles } from '../../services/business/exports/archive';
import type { PrintedFile } from '../../services/business/exports/archive';
import {
  beginExport,
  completeExport,
  listExportParts,
  readRunningExport,
  readWritableExport,
  EXPORT_STORAGE_FORMATS,
} from '../../services/business/exports/progress';
import type { RunningExport } from '../../services/business/exports/progress';
import { listExportColumns, readRows } from '../../services/business/exports/rows';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { ArchiveEncoder } from './archive-encoder';
import type { PartEncoder } from './part-encoder';
import { TextPartEncoder } from './text-encoder';
import { WorkbookEncoder } from './workbook-encoder';
import { writeParts } from './write-parts';

const HEARTBEAT_MS = 4000;
/** An activity ends at the first part after so long: a worker that is to stop need not wait for a whole export. */
const SLICE_MS = 20_000;
/** Documents printed by one activity. */
const PRINT_BATCH = 40;
/** Text unpacked at once, to be hashed. */
const READ_BYTES = 256 * 1024;

interface ExportReference {
  exportId: string;
}

function createRowEncoder(record: RunningExport): PartEncoder<Cell[]> {
  const { format, timeZone, writer, resource: title, createdAt } = record;
  const columns = listExportColumns(record);
  if (format === 'zip-pdf') throw new AppError('invalid_request', 400, 'An archive is not made of rows.');
  if (format === 'xlsx') return new WorkbookEncoder({ columns, timeZone, title, createdAt }, writer);
  return new TextPartEncoder(format, columns, timeZone, writer);
}

async function prepareArchiveEncoder(record: RunningExport): Promise<(now: RunningExport) => PartEncoder<PrintedFile>> {
  const { id: exportId, resource, filters, createdAt } = record;
  const metadata = { exportId, resource, filters, createdAt, draftsLeftOut: await countSkippedDrafts(record) };
  const readPreviousFiles = async () => (await listExportParts(record)).flatMap(({ files }) => files);
  return ({ writer }) => new ArchiveEncoder(writer, metadata, readPreviousFiles);
}

/** Whether a slice is over, or the worker or the workflow wants the activity to stop. */
function createStopCondition(): () => boolean {
  const deadline = performance.now() + SLICE_MS;
  const { cancellationSignal } = Context.current();
  return () => cancellationSignal.aborted || performance.now() > deadline;
}

/** Makes the object of its parts, and reads it once as it will be downloaded: what is told of it is what is there. */
async function assembleFile(platform: Platform, record: RunningExport): Promise<void> {
  const { objectKey, uploadId } = record;
  await platform.objects.completeUpload(objectKey, uploadId, await listExportParts(record));
  const stored = await platform.objects.stream(objectKey);
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

/** Writing lists and archives to the object store. Every activity may run twice and goes on where it was left. */
export const createExportActivities = (platform: Platform) => ({
  /** Bounds and counts the rows and opens the upload. */
  beginExport: ({ exportId }: ExportReference): Promise<void> =>
    withHeartbeat(HEARTBEAT_MS, () => beginExport(platform, exportId)),

  /** @returns whether all rows are written; else the next activity goes on. */
  writeExportRows: ({ exportId }: ExportReference): Promise<boolean> =>
    withHeartbeat(HEARTBEAT_MS, () =>
      writeParts(platform, exportId, { read: readRows, createEncoder: createRowEncoder }, createStopCondition()),
    ),

  /** @returns the numbers at which batches of documents to be printed end. */
  planArchive: ({ exportId }: ExportReference): Promise<number[]> =>
    withHeartbeat(HEARTBEAT_MS, async () => findBatchEnds(await readRunningExport(exportId), PRINT_BATCH)),

  /** Packs printed documents. @returns whether all are packed; else the next activity goes on. */
  packArchive: ({ exportId }: ExportReference): Promise<boolean> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      const createEncoder = await prepareArchiveEncoder(await readWritableExport(exportId));
      const read = (record: RunningExport, after: unknown) =>
        readPrintedFiles(platform, record, typeof after === 'number' ? after : 0);
      return writeParts(platform, exportId, { read, createEncoder }, createStopCondition());
    }),

  /** Makes the file of its parts and tells that it is there. */
  finishExport: ({ exportId }: ExportReference): Promise<void> =>
    withHeartbeat(HEARTBEAT_MS, async () => assembleFile(platform, await readWritableExport(exportId))),
});

export type ExportActivities = ReturnType<typeof createExportActivities>;
