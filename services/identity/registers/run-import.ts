import { Readable } from 'node:stream';
import { toFailureCode } from '../../../domain/errors';
import { findHeaderProblems } from '../../../domain/identity/registers/columns';
import { parseCountryCode } from '../../../domain/identity/countries';
import { CsvParseError, readCsv } from '../../../lib/csv';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord, RowProblem } from '../../../models/identity/registers/register-import';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { findEvidence, readEvidence, removeEvidenceObjects } from '../../platform/evidence/evidence';
import type { Platform } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import type { RecordCipher } from '../../platform/evidence/record-cipher';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import { toScope } from '../sessions/session-store';
import { COMPANY_ROW_WRITER, PERSON_ROW_WRITER, removeRegisterRows } from './rows';
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

/** Writes sealed rows in batches. */
async function writeRows<T>(
  version: RegisterImportRecord,
  cipher: RecordCipher,
  writer: RowWriter<T>,
  source: Readable,
  report: RowReport,
): Promise<string | null> {
  let batch: { line: number; document: T }[] = [];
  const flush = async (): Promise<void> => {
    const repeated = await writer.insert(batch.map(({ document }) => document));
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

async function readFile(
  version: RegisterImportRecord,
  cipher: RecordCipher,
  source: Readable,
  report: RowReport,
): Promise<string | null> {
  try {
    return version.kind === 'persons'
      ? await writeRows(version, cipher, PERSON_ROW_WRITER, source, report)
      : await writeRows(version, cipher, COMPANY_ROW_WRITER, source, report);
  } catch (error) {
    if (!(error instanceof CsvParseError)) throw error;
    report.addProblems(error.line, [{ field: 'file', problem: error.code }]);
    return 'invalid_csv';
  }
}

/**
 * Completes an import once. On success the version becomes active and replaces the previous one atomically; otherwise,
 * and if the version was deleted meanwhile, the active version remains.
 */
async function finishImport(
  platform: Platform,
  version: RegisterImportRecord,
  report: RowReport,
  failure: string | null,
): Promise<ImportSummary> {
  const status = failure === null ? ('active' as const) : ('failed' as const);
  const at = platform.clock.now();
  return runTransaction(platform, async (unit) => {
    const filter = { ...toScope(version), kind: version.kind, deletedAt: null };
    const importing = { ...filter, _id: version._id, status: 'importing' as const };
    if ((await RegisterImport.exists(importing).session(unit.mongoSession)) === null) return ERASED;
    if (status === 'active') {
      await RegisterImport.updateMany(
        { ...filter, status: 'active' },
        { $set: { status: 'superseded', retiredAt: at } },
        { session: unit.mongoSession },
      );
    }
    const ended = await RegisterImport.findOneAndUpdate(
      importing,
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

/** Imports a register's rows from a stream of any length and makes it the active version. */
export async function importRows(
  platform: Platform,
  version: RegisterImportRecord,
  source: Readable,
): Promise<ImportSummary> {
  // Rows of an earlier attempt would count as duplicates.
  await removeRegisterRows(version, version.kind);
  const report = new RowReport();
  const cipher = await createRecordCipher(platform, version, version._id);
  const failure = await readFile(version, cipher, source, report);
  const summary = await finishImport(platform, version, report, failure);
  if (summary.status === 'erased') await removeRegisterRows(version, version.kind);
  await removeUnusedRows(platform, version);
  return summary;
}

const findImportForWorkflow = (id: string): Promise<RegisterImportRecord | null> =>
  RegisterImport.findOne({ _id: id, deletedAt: null }).lean<RegisterImportRecord>();

/** Runs an import from its stored file, only once however often it is called. */
export async function runImport(platform: Platform, registerId: string): Promise<ImportSummary> {
  const version = await findImportForWorkflow(registerId);
  if (version === null) return ERASED;
  if (version.status !== 'importing') return summariseImport(version);
  const [file] = await findEvidence(version, { recordId: registerId });
  if (file === undefined) return ERASED;
  const { body } = await readEvidence(platform, version, file._id);
  return importRows(platform, version, Readable.from([body]));
}

/** Records that an import failed; `reason` is an error code. */
export async function failImport(platform: Platform, registerId: string, reason: string): Promise<void> {
  const version = await findImportForWorkflow(registerId);
  if (version === null || version.status !== 'importing') return;
  await finishImport(platform, version, new RowReport(), toFailureCode(reason));
  await removeUnusedRows(platform, version);
}
