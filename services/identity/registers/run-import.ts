import { Readable } from 'node:stream';
import { headerProblems } from '../../../domain/identity/registers/columns';
import { countryCode } from '../../../domain/identity/registers/rows';
import { CsvProblem, readCsv } from '../../../lib/csv';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord, RowProblem } from '../../../models/identity/registers/register-import';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { findEvidence, readEvidence, removeEvidenceObjects } from '../../platform/evidence/evidence';
import type { Platform } from '../../platform/platform';
import { recordCipher } from '../../platform/evidence/record-cipher';
import type { RecordCipher } from '../../platform/evidence/record-cipher';
import { transact } from '../../platform/transactions/unit-of-work';
import { scopeOf } from '../sessions/session-store';
import { COMPANY_ROWS, PERSON_ROWS, removeRows } from './rows';
import type { RowWriter } from './rows';

const BATCH_ROWS = 1000;
const MOST_PROBLEMS = 100;

/** How an import ended, in codes and counts: what a workflow and its history may know. */
export interface ImportSummary {
  status: RegisterImportRecord['status'] | 'erased';
  imported: number;
  rejected: number;
  failure: string | null;
}

const ERASED: ImportSummary = { status: 'erased', imported: 0, rejected: 0, failure: null };

const summaryOf = ({ status, rows, failure }: RegisterImportRecord): ImportSummary => ({
  status,
  imported: rows.imported,
  rejected: rows.rejected,
  failure,
});

/** Counts rows and keeps the first problems. */
class Report {
  readonly rows = { total: 0, imported: 0, rejected: 0 };
  readonly problems: RowProblem[] = [];
  readonly countries = new Set<string>();

  reject(line: number, problems: readonly Omit<RowProblem, 'line'>[]): void {
    this.rows.rejected += 1;
    this.note(line, problems);
  }

  note(line: number, problems: readonly Omit<RowProblem, 'line'>[]): void {
    for (const { field, problem } of problems) {
      if (this.problems.length < MOST_PROBLEMS) this.problems.push({ line, field, problem });
    }
  }

  /** A file that is mostly wrong is a wrong file, such as one with its columns exchanged: nothing of it is taken. */
  failure(): string | null {
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
  report: Report,
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
    const problems = headerProblems(version.kind, names);
    report.note(1, problems);
    wrongHeader = problems.length > 0;
  };
  for await (const { line, row } of readCsv(source, onHeader)) {
    if (wrongHeader) break;
    report.rows.total += 1;
    const sealed = writer.seal(version, cipher, row);
    if ('problems' in sealed) report.reject(line, sealed.problems);
    else {
      batch.push({ line, document: sealed.document });
      const country = countryCode(row['country'] ?? '');
      if (country !== undefined) report.countries.add(country);
    }
    if (batch.length === BATCH_ROWS) await flush();
  }
  if (batch.length > 0) await flush();
  return wrongHeader ? 'invalid_header' : report.failure();
}

async function readFile(
  version: RegisterImportRecord,
  cipher: RecordCipher,
  source: Readable,
  report: Report,
): Promise<string | null> {
  try {
    return version.kind === 'persons'
      ? await writeRows(version, cipher, PERSON_ROWS, source, report)
      : await writeRows(version, cipher, COMPANY_ROWS, source, report);
  } catch (error) {
    if (!(error instanceof CsvProblem)) throw error;
    report.note(error.line, [{ field: 'file', problem: error.code }]);
    return 'invalid_csv';
  }
}

/**
 * Ends an import once. Taken, it becomes the version that is read in the same moment in which the one before it stops
 * being so; else what was active stays.
 */
async function finish(
  platform: Platform,
  version: RegisterImportRecord,
  report: Report,
  failure: string | null,
): Promise<ImportSummary> {
  const status = failure === null ? ('active' as const) : ('failed' as const);
  const at = platform.clock.now();
  return transact(platform, async (unit) => {
    const mine = { ...scopeOf(version), kind: version.kind, deletedAt: null };
    if (status === 'active') {
      await RegisterImport.updateMany(
        { ...mine, status: 'active' },
        { $set: { status: 'superseded', retiredAt: at } },
        { session: unit.session },
      );
    }
    const ended = await RegisterImport.findOneAndUpdate(
      { ...mine, _id: version._id, status: 'importing' },
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
      { session: unit.session, returnDocument: 'after' },
    ).lean<RegisterImportRecord>();
    if (ended === null) return ERASED;
    await Evidence.deleteMany({ ...scopeOf(version), recordId: version._id }, { session: unit.session });
    await unit.audit(version, {
      actor: 'system',
      action: status === 'active' ? 'register.activated' : 'register.failed',
      subject: version._id,
      ...(failure === null ? {} : { reason: failure }),
    });
    return summaryOf(ended);
  });
}

/** Removes rows that no look-up reads any more, and the file they came from. */
async function tidy(platform: Platform, version: RegisterImportRecord): Promise<void> {
  await removeEvidenceObjects(platform, version, version._id);
  const unread = await RegisterImport.find({
    ...scopeOf(version),
    kind: version.kind,
    deletedAt: null,
    status: { $in: ['superseded', 'failed'] },
  }).lean<RegisterImportRecord[]>();
  for (const old of unread) await removeRows(old, old.kind);
}

/** Reads a register's rows from a stream, however long, and makes it the active version. */
export async function importRows(
  platform: Platform,
  version: RegisterImportRecord,
  source: Readable,
): Promise<ImportSummary> {
  // What an earlier attempt left would be taken for repetitions.
  await removeRows(version, version.kind);
  const report = new Report();
  const cipher = await recordCipher(platform, version, version._id);
  const failure = await readFile(version, cipher, source, report);
  const summary = await finish(platform, version, report, failure);
  if (summary.status === 'erased') await removeRows(version, version.kind);
  await tidy(platform, version);
  return summary;
}

const importOfWorkflow = (id: string): Promise<RegisterImportRecord | null> =>
  RegisterImport.findOne({ _id: id, deletedAt: null }).lean<RegisterImportRecord>();

/** Runs an import that was recorded with its file, once, however often it is called. */
export async function runImport(platform: Platform, registerId: string): Promise<ImportSummary> {
  const version = await importOfWorkflow(registerId);
  if (version === null) return ERASED;
  if (version.status !== 'importing') return summaryOf(version);
  const [file] = await findEvidence(version, { recordId: registerId });
  if (file === undefined) return ERASED;
  const { body } = await readEvidence(platform, version, file._id);
  return importRows(platform, version, Readable.from([body]));
}

/** Gives an import up that could not be run to its end; `reason` is an error code. */
export async function failImport(platform: Platform, registerId: string, reason: string): Promise<void> {
  const version = await importOfWorkflow(registerId);
  if (version === null || version.status !== 'importing') return;
  await finish(platform, version, new Report(), /^[a-z][a-z_]*$/.test(reason) ? reason : 'internal_error');
  await tidy(platform, version);
}
