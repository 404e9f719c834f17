import type { Readable } from 'node:stream';
import { AppError, conflictError, invalidFieldError } from '../../../../domain/errors';
import {
  detectDataset,
  GOLDEN_COPY_COLUMNS,
  isDeltaFile,
  parseException,
  parseRelationship,
  parsePublishedAt,
} from '../../../../domain/identity/registers/gleif/golden-copy';
import type { GoldenCopyDataset } from '../../../../domain/identity/registers/gleif/golden-copy';
import { CsvParseError, readCsv } from '../../../../lib/csv';
import { GleifEdition } from '../../../../models/identity/registers/gleif-edition';
import type { GleifEditionRecord } from '../../../../models/identity/registers/gleif-edition';
import { reserveNumber } from '../../../platform/transactions/counters';
import type { Platform } from '../../../platform/platform';
import { runTransaction } from '../../../platform/transactions/unit-of-work';
import { removeUnusedEditions } from './editions';
import { ENTITY_WRITER, createParentWriter, removeEditionRows } from './rows';
import type { EditionWriter } from './rows';
import { MINUTE_MS } from '../../../../domain/durations';
import { INSTALLATION } from '../../../../domain/platform/installation';

const BATCH_ROWS = 2000;
/** An import without progress for this time counts as abandoned. */
const ABANDONED_AFTER_MS = MINUTE_MS;
/**
 * A copy that lost this share of its rows is rejected, because an incomplete file is more likely than such a change.
 */
const MIN_ROW_SHARE = 0.5;

/** An accessible file of the golden copy. */
export interface GoldenCopyFile {
  /** File name given by GLEIF, which contains the publication time. */
  name: string;
  /** SHA-256 (hex) and size in bytes of the file as received. */
  sha256: string;
  bytes: number;
  /** Opens the unpacked CSV from its beginning. */
  open: () => Promise<Readable>;
}

export interface GoldenCopyOptions {
  /** Accepts a file with less than half the rows of the edition in use. */
  acceptSmaller?: boolean;
  /** Called and awaited after every written batch. */
  onProgress?: (rows: GleifEditionRecord['rows']) => void | Promise<void>;
}

/** Result of an import. */
export interface GoldenCopyReport {
  dataset: GoldenCopyDataset;
  edition: number;
  /** `unchanged`: the file is already the edition in use. */
  status: 'active' | 'unchanged';
  publishedAt: string | null;
  rows: GleifEditionRecord['rows'];
  /** Number of rows that an earlier, interrupted import of the file had processed. */
  resumedAt: number;
}

const invalidGoldenCopyError = (problem: string): AppError => invalidFieldError('file', problem);

/** Detects the data set from the header. */
async function readDataset(file: GoldenCopyFile): Promise<GoldenCopyDataset> {
  if (isDeltaFile(file.name)) {
    throw invalidGoldenCopyError(`${file.name} contains only changes; accepts the complete golden copy`);
  }
  let dataset: GoldenCopyDataset | null = null;
  try {
    for await (const _first of readCsv(await file.open(), (header) => (dataset = detectDataset(header)))) break;
  } catch (error) {
    if (!(error instanceof CsvParseError)) throw error;
  }
  if (dataset !== null) return dataset;
  throw invalidGoldenCopyError(
    'accepts CSV of the golden copy: level 1 (LEI-CDF), relationship records or reporting exceptions',
  );
}

/** The edition of a file that is in use or being imported; null for a new file. */
const findEdition = (dataset: GoldenCopyDataset, sha256: string): Promise<GleifEditionRecord | null> =>
  GleifEdition.findOne({ dataset, sha256, status: { $in: ['active', 'importing'] } }).lean<GleifEditionRecord>();

/** @throws AppError 409 if another process is importing a file of the data set */
async function failAbandonedImports(platform: Platform, dataset: GoldenCopyDataset): Promise<void> {
  const since = new Date(platform.clock.now().getTime() - ABANDONED_AFTER_MS);
  const begun = await GleifEdition.find({ dataset, status: 'importing' }).lean<GleifEditionRecord[]>();
  for (const { _id, fileName, progressAt } of begun) {
    if (progressAt > since)
      throw conflictError('import_running', `${fileName} is being imported; try again when it is done.`);
    await GleifEdition.updateOne({ _id, status: 'importing' }, { $set: { status: 'failed', failure: 'abandoned' } });
  }
}

async function beginEdition(
  platform: Platform,
  dataset: GoldenCopyDataset,
  { name, sha256, bytes }: GoldenCopyFile,
): Promise<GleifEditionRecord> {
  await failAbandonedImports(platform, dataset);
  const now = platform.clock.now();
  const edition: GleifEditionRecord = {
    // Edition numbers are never reused, so that an import that outlives its edition cannot write into another one.
    _id: await reserveNumber(INSTALLATION, 'gleif-editions'),
    dataset,
    status: 'importing',
    fileName: name,
    sha256,
    bytes,
    publishedAt: parsePublishedAt(name),
    rows: { read: 0, taken: 0, passedOver: 0 },
    failure: null,
    startedAt: now,
    progressAt: now,
    completedAt: null,
  };
  await GleifEdition.create([edition]);
  return edition;
}

/** Aborts an import that another command has ended. If its edition was removed meanwhile, the rows are removed too. */
async function abortImport({ _id, dataset }: GleifEditionRecord): Promise<never> {
  if ((await GleifEdition.exists({ _id, status: 'active' })) === null) await removeEditionRows(dataset, _id);
  throw conflictError(
    'import_ended',
    'The import was ended by another command, which imported the file or removed its edition.',
  );
}

/**
 * Writes the rows from where an earlier attempt stopped. Rows are counted after they are written, so that an import
 * interrupted between the two writes the batch again, which changes nothing.
 */
async function writeRows<T>(
  platform: Platform,
  edition: GleifEditionRecord,
  writer: EditionWriter<T>,
  file: GoldenCopyFile,
  onProgress: GoldenCopyOptions['onProgress'],
): Promise<GleifEditionRecord['rows']> {
  const { required, optional } = GOLDEN_COPY_COLUMNS[edition.dataset];
  const rows = { ...edition.rows };
  let batch: T[] = [];
  let skip = rows.read;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await writer.insert(batch);
    batch = [];
    const counted = await GleifEdition.updateOne(
      { _id: edition._id, status: 'importing' },
      { $set: { rows: { ...rows }, progressAt: platform.clock.now() } },
    );
    if (counted.matchedCount === 0) await abortImport(edition);
    await onProgress?.({ ...rows });
  };
  for await (const { row } of readCsv(await file.open(), undefined, new Set([...required, ...optional]))) {
    if (skip > 0) {
      skip -= 1;
      continue;
    }
    const record = writer.toRecord(edition._id, row);
    if (record !== null) batch.push(record);
    rows.read += 1;
    rows[record === null ? 'passedOver' : 'taken'] += 1;
    if (rows.read % BATCH_ROWS === 0) await flush();
  }
  await flush();
  return rows;
}

function readFile(
  platform: Platform,
  edition: GleifEditionRecord,
  file: GoldenCopyFile,
  onProgress: GoldenCopyOptions['onProgress'],
): Promise<GleifEditionRecord['rows']> {
  if (edition.dataset === 'entities') return writeRows(platform, edition, ENTITY_WRITER, file, onProgress);
  const parse = edition.dataset === 'relationships' ? parseRelationship : parseException;
  return writeRows(platform, edition, createParentWriter(parse), file, onProgress);
}

async function rejectEdition(edition: GleifEditionRecord, code: string, message: string): Promise<never> {
  await GleifEdition.updateOne({ _id: edition._id }, { $set: { status: 'failed', failure: code } });
  await removeUnusedEditions();
  throw new AppError(code, 422, message);
}

async function requireComplete(
  edition: GleifEditionRecord,
  { taken, passedOver }: GleifEditionRecord['rows'],
  options: GoldenCopyOptions,
): Promise<void> {
  if (taken === 0) await rejectEdition(edition, 'no_rows', 'The file contains no valid row.');
  const active = await GleifEdition.findOne({ dataset: edition.dataset, status: 'active' }).lean<GleifEditionRecord>();
  if (active === null || options.acceptSmaller === true) return;
  if (taken + passedOver >= MIN_ROW_SHARE * active.rows.read) return;
  await rejectEdition(
    edition,
    'shrunk_by_half',
    `The file has ${taken} rows and the active edition ${active.rows.taken}, so that it is probably incomplete. Import it with --accept-smaller if it is complete.`,
  );
}

/** Makes an edition the active one, and replaces the previous one atomically. */
const activateEdition = (platform: Platform, edition: GleifEditionRecord): Promise<void> =>
  runTransaction(platform, async ({ mongoSession }) => {
    const { _id, dataset } = edition;
    await GleifEdition.updateMany(
      { dataset, status: 'active' },
      { $set: { status: 'superseded' } },
      { session: mongoSession },
    );
    const taken = await GleifEdition.updateOne(
      { _id, status: 'importing' },
      { $set: { status: 'active', completedAt: platform.clock.now() } },
      { session: mongoSession },
    );
    if (taken.matchedCount === 0) throw conflictError('import_ended', 'Another import of the file ended first.');
  });

/**
 * Imports a file of the golden copy as a stream. Rows are written under a new edition, which becomes active once it is
 * complete. An interrupted import of the same file resumes at its last batch; a completed one changes nothing.
 *
 * @throws AppError 400 for another file; 409 `import_running`, `import_ended`; 422 `no_rows`, `shrunk_by_half`
 */
export async function importGoldenCopy(
  platform: Platform,
  file: GoldenCopyFile,
  options: GoldenCopyOptions = {},
): Promise<GoldenCopyReport> {
  const dataset = await readDataset(file);
  const existing = await findEdition(dataset, file.sha256);
  const edition = existing ?? (await beginEdition(platform, dataset, file));
  const report = {
    dataset,
    edition: edition._id,
    publishedAt: edition.publishedAt?.toISOString() ?? null,
    resumedAt: edition.rows.read,
  };
  if (edition.status === 'active') return { ...report, status: 'unchanged', rows: edition.rows };
  const rows = await readFile(platform, edition, file, options.onProgress);
  await requireComplete(edition, rows, options);
  await activateEdition(platform, edition);
  await removeUnusedEditions();
  return { ...report, status: 'active', rows };
}
