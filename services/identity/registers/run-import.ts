import { Readable } from 'node:stream';
import { toFailureCode } from '../../../domain/errors';
import { findHeaderProblems } from '../../../domain/identity/registers/columns';
import { parseCountryCode } from '../../../domain/identity/countries';
import { CsvParseError, readCsv } from '../../../lib/csv';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord, RowProblem } from '../../../models/identity/registers/register-import';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { findEvidence, readEvidence, removeEvidenceObjects } from '../../platform/evidence/evidence';
import { toScope } from '../../platform/platform';
import type { Platform } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import type { RecordCipher } from '../../platform/evidence/record-cipher';
import { AttemptEndedError, beginAttempt, runInAttempt } from './attempts';
import type { ImportAttempt } from './attempts';
import { COMPANY_ROW_WRITER, insertNewRows, PERSON_ROW_WRITER, removeFirstRows, removeRegisterRows } from './rows';
import type { RowWriter } from './rows';

const BATCH_ROWS = 1000;
const MAX_PROBLEMS = 100;

/** Result of an import in codes and counts, as workflow histories may contain it. */
export interface ImportSummary {
  status: RegisterImportRecord['status'] | 'erased';
  imported: number;
  rejected: number;
  failure: string | null;
}

const ERASED: ImportSummary = { status: 'erased', imported: 0, rejected: 0, failure: null };

const summariseImport = ({ status, rows, failure }: RegisterImportRecord): ImportSummary => ({
  status,
  imported: rows.imported,
  rejected: rows.rejected,
  failure,
});

/** Counts rows and keeps the first problems. */
class RowReport {
  readonly rows = { total: 0, imported: 0, rejected: 0 };
  readonly problems: RowProblem[] = [];
  readonly countries = new Set<string>();

  reject(line: number, problems: readonly Omit<RowProblem, 'line'>[]): void {
    this.rows.rejected += 1;
    this.addProblems(line, problems);
  }

  addProblems(line: number, problems: readonly Omit<RowProblem, 'line'>[]): void {
    for (const { field, problem } of problems) {
      if (this.problems.length < MAX_PROBLEMS) this.problems.push({ line, field, problem });
    }
  }

  /**
   * A file with more invalid than valid rows is assumed to be the wrong file, for example with its columns
   * interchanged, and is rejected as a whole.
   */
  getFailure(): string | null {
    if (this.rows.imported === 0) return 'no_rows';
    return this.rows.rejected > this.rows.imported ? 'too_many_rejected' : null;
  }
}

/** What an attempt reads and writes. */
interface Reading {
  platform: Platform;
  attempt: ImportAttempt;
  cipher: RecordCipher;
  source: Readable;
  report: RowReport;
}

/** Removes the rows that earlier attempts left, which would count as repeated. */
async function removeEarlierRows<T>({ platform, attempt }: Reading, writer: RowWriter<T>): Promise<void> {
  const removeBatch = () =>
    runInAttempt(platform, attempt, ({ mongoSession }) =>
      removeFirstRows(writer, attempt.version, BATCH_ROWS, mongoSession),
    );
  while ((await removeBatch()) === BATCH_ROWS);
}

/** Writes sealed rows in batches. */
async function writeRows<T>(reading: Reading, writer: RowWriter<T>): Promise<string | null> {
  const { platform, attempt, cipher, source, report } = reading;
  const { version } = attempt;
  await removeEarlierRows(reading, writer);
  let batch: { line: number; document: T }[] = [];
  const flush = async (): Promise<void> => {
    const rows = batch.map(({ document }) => document);
    const repeated = await runInAttempt(platform, attempt, ({ mongoSession }) =>
      insertNewRows(writer, version, rows, mongoSession),
    );
    for (const index of repeated) {
      const line = batch[index]?.line ?? 0;
      report.reject(line, [{ field: 'row', problem: 'repeats an earlier row of the file' }]);
    }
    report.rows.imported += batch.length - repeated.length;
    batch = [];
  };
  let wrongHeader = false;
  const onHeader = (names: string[]): void => {
    const problems = findHeaderProblems(version.kind, names);
    report.addProblems(1, problems);
    wrongHeader = problems.length > 0;
  };
  for await (const { line, row } of readCsv(source, onHeader)) {
    if (wrongHeader) break;
    report.rows.total += 1;
    const sealed = writer.seal(version, cipher, row);
    if ('problems' in sealed) report.reject(line, sealed.problems);
    else {
      batch.push({ line, document: sealed.document });
      const country = parseCountryCode(row['country'] ?? '');
      if (country !== undefined) report.countries.add(country);
    }
    if (batch.length === BATCH_ROWS) await flush();
  }
  if (batch.length > 0) await flush();
  return wrongHeader ? 'invalid_header' : report.getFailure();
}

async function readFile(reading: Reading): Promise<string | null> {
  const { report } = reading;
  try {
    return reading.attempt.version.kind === 'persons'
      ? await writeRows(reading, PERSON_ROW_WRITER)
      : await writeRows(reading, COMPANY_ROW_WRITER);
  } catch (error) {
    if (!(error instanceof CsvParseError)) throw error;
    report.addProblems(error.line, [{ field: 'file', problem: error.code }]);
    return 'invalid_csv';
  }
}

/**
 * Completes an import. On success the version becomes active and replaces the previous one atomically; otherwise the
 * active version remains.
 * @throws AttemptEndedError
 */
async function finishImport(
  platform: Platform,
  attempt: ImportAttempt,
  report: RowReport,
  failure: string | null,
): Promise<ImportSummary> {
  const { version } = attempt;
  const status = failure === null ? ('active' as const) : ('failed' as const);
  const at = platform.clock.now();
  return runInAttempt(platform, attempt, async (unit) => {
    const filter = { ...toScope(version), kind: version.kind, deletedAt: null };
    if (status === 'active') {
      await RegisterImport.updateMany(
        { ...filter, status: 'active' },
        { $set: { status: 'superseded', retiredAt: at } },
        { session: unit.mongoSession },
      );
    }
    const ended = await RegisterImport.findOneAndUpdate(
      { ...filter, _id: version._id },
      {
        $set: {
          status,
          failure,
          rows: report.rows,
          countries: [...report.countries].sort(),
          problems: [...report.problems].sort((a, b) => a.line - b.line),
          completedAt: at,
          retiredAt: status === 'failed' ? at : null,
        },
      },
      { session: unit.mongoSession, returnDocument: 'after' },
    )
      .orFail()
      .lean<RegisterImportRecord>();
    await Evidence.deleteMany({ ...toScope(version), recordId: version._id }, { session: unit.mongoSession });
    await unit.audit(version, {
      actor: 'system',
      action: status === 'active' ? 'register.activated' : 'register.failed',
      subject: version._id,
      ...(failure === null ? {} : { reason: failure }),
    });
    return summariseImport(ended);
  });
}

/** Removes the rows of unused versions, and the uploaded file. */
async function removeUnusedRows(platform: Platform, version: RegisterImportRecord): Promise<void> {
  await removeEvidenceObjects(platform, version, version._id);
  const unused = await RegisterImport.find({
    ...toScope(version),
    kind: version.kind,
    deletedAt: null,
    status: { $in: ['superseded', 'failed'] },
  }).lean<RegisterImportRecord[]>();
  for (const old of unused) await removeRegisterRows(old, old.kind);
}

const findImportForWorkflow = (id: string): Promise<RegisterImportRecord | null> =>
  RegisterImport.findOne({ _id: id, deletedAt: null }).lean<RegisterImportRecord>();

/**
 * How an import that this attempt cannot write to has ended.
 * @throws AttemptEndedError if a later attempt continues it
 */
async function summariseEnded(version: RegisterImportRecord, ended: AttemptEndedError): Promise<ImportSummary> {
  const current = await findImportForWorkflow(version._id);
  if (current?.status === 'importing') throw ended;
  if (current !== null) return summariseImport(current);
  // Nothing writes rows of a deleted version any more.
  await removeRegisterRows(version, version.kind);
  return ERASED;
}

/** Imports a register's rows from a stream of any length and makes it the active version. */
export async function importRows(platform: Platform, attempt: ImportAttempt, source: Readable): Promise<ImportSummary> {
  const { version } = attempt;
  try {
    const report = new RowReport();
    const cipher = await createRecordCipher(platform, version, version._id);
    const failure = await readFile({ platform, attempt, cipher, source, report });
    const summary = await finishImport(platform, attempt, report, failure);
    await removeUnusedRows(platform, version);
    return summary;
  } catch (error) {
    if (!(error instanceof AttemptEndedError)) throw error;
    return summariseEnded(version, error);
  }
}

/** Runs an import from its stored file, only once however often it is called. */
export async function runImport(platform: Platform, registerId: string): Promise<ImportSummary> {
  const attempt = await beginAttempt(registerId);
  if (attempt === null) {
    const ended = await findImportForWorkflow(registerId);
    if (ended === null) return ERASED;
    // The attempt that completed the import may have been interrupted before it did this.
    await removeUnusedRows(platform, ended);
    return summariseImport(ended);
  }
  const { version } = attempt;
  const [file] = await findEvidence(version, { recordId: registerId });
  if (file === undefined) return ERASED;
  const { body } = await readEvidence(platform, version, file._id);
  return importRows(platform, attempt, Readable.from([body]));
}

/** Records that an import failed, only once however often it is called; `reason` is an error code. */
export async function failImport(platform: Platform, registerId: string, reason: string): Promise<void> {
  const attempt = await beginAttempt(registerId);
  if (attempt !== null) await finishImport(platform, attempt, new RowReport(), toFailureCode(reason));
  const ended = attempt?.version ?? (await findImportForWorkflow(registerId));
  if (ended !== null) await removeUnusedRows(platform, ended);
}
