import type { ClientSession } from 'mongoose';
import { buildCompanyNameKeys } from '../../../domain/identity/kyb/names';
import type { ColumnProblem, RegisterKind } from '../../../domain/identity/registers/columns';
import { parseCompanyRow, parsePersonRow } from '../../../domain/identity/registers/rows';
import type { CsvRow } from '../../../domain/identity/registers/rows';
import { RegisterCompany } from '../../../models/identity/registers/register-company';
import type { RegisterCompanyRecord } from '../../../models/identity/registers/register-company';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { RegisterPerson } from '../../../models/identity/registers/register-person';
import type { RegisterPersonRecord } from '../../../models/identity/registers/register-person';
import type { RecordCipher } from '../../platform/evidence/record-cipher';

/** Lookup key of a person. */
export const buildPersonKey = (country: string, idNumber: string): string => `${country}:${idNumber}`;

type RegisterVersion = Pick<RegisterImportRecord, '_id' | 'organisationId' | 'mode'>;
type ImportedVersion = RegisterVersion & Pick<RegisterImportRecord, 'createdAt'>;

/** Filter that selects the rows of a version. */
export const buildRegisterRowFilter = ({ _id, organisationId, mode }: RegisterVersion) => ({
  organisationId,
  mode,
  registerId: _id,
});

/** A parsed row ready to be inserted, or its problems. */
export type SealedRow<T> = { document: T } | { problems: ColumnProblem[] };

function sealPerson(version: ImportedVersion, cipher: RecordCipher, csv: CsvRow): SealedRow<RegisterPersonRecord> {
  const parsed = parsePersonRow(csv, version.createdAt);
  if ('problems' in parsed) return parsed;
  const { row } = parsed;
  const numberKey = cipher.computeLookupKey(buildPersonKey(row.country, row.idNumber));
  return {
    document: { ...buildRegisterRowFilter(version), numberKey, sealed: cipher.seal(JSON.stringify(row), numberKey) },
  };
}

function sealCompany(version: RegisterVersion, cipher: RecordCipher, csv: CsvRow): SealedRow<RegisterCompanyRecord> {
  const parsed = parseCompanyRow(csv);
  if ('problems' in parsed) return parsed;
  const { row } = parsed;
  const name = buildCompanyNameKeys(row.name);
  const number = row.registrationNumber === null ? null : `${row.country ?? ''}:${row.registrationNumber}`;
  const rowKey = number ?? row.lei ?? name.key;
  const { country, registrationNumber, vatNumber, lei } = row;
  return {
    document: {
      ...buildRegisterRowFilter(version),
      rowKey,
      nameKey: name.key,
      nameWords: name.words,
      country,
      registrationNumber,
      vatNumber,
      lei,
      sealed: cipher.seal(JSON.stringify(row), rowKey),
    },
  };
}

/**
 * Creates and stores the rows of one kind of register. Each writer names its model in every call, from which the roles of
 * MongoDB are derived: a function of any model would get the right to update rows, too.
 */
export interface RowWriter<T> {
  seal(version: ImportedVersion, cipher: RecordCipher, csv: CsvRow): SealedRow<T>;
  /** The key of a row, which is unique within a version. */
  getKey(row: T): string;
  /** The keys of stored rows of a version: of those in `keys`, else of the first `limit`. */
  listKeys(version: RegisterVersion, selection: KeySelection, mongoSession: ClientSession): Promise<string[]>;
  insert(rows: T[], mongoSession: ClientSession): Promise<unknown>;
  remove(version: RegisterVersion, keys: readonly string[], mongoSession: ClientSession): Promise<unknown>;
}

type KeySelection = { keys: readonly string[] } | { limit: number };

export const PERSON_ROW_WRITER: RowWriter<RegisterPersonRecord> = {
  seal: sealPerson,
  getKey: ({ numberKey }) => numberKey,
  async listKeys(version, selection, mongoSession) {
    const selected = 'keys' in selection ? { numberKey: { $in: selection.keys } } : {};
    const rows = await RegisterPerson.find({ ...buildRegisterRowFilter(version), ...selected }, { numberKey: 1 })
      .session(mongoSession)
      .limit('limit' in selection ? selection.limit : 0)
      .lean<Pick<RegisterPersonRecord, 'numberKey'>[]>();
    return rows.map(({ numberKey }) => numberKey);
  },
  insert: (rows, session) => RegisterPerson.insertMany(rows, { session, lean: true }),
  remove: (version, keys, session) =>
    RegisterPerson.deleteMany({ ...buildRegisterRowFilter(version), numberKey: { $in: keys } }, { session }),
};
export const COMPANY_ROW_WRITER: RowWriter<RegisterCompanyRecord> = {
  seal: sealCompany,
  getKey: ({ rowKey }) => rowKey,
  async listKeys(version, selection, mongoSession) {
    const selected = 'keys' in selection ? { rowKey: { $in: selection.keys } } : {};
    const rows = await RegisterCompany.find({ ...buildRegisterRowFilter(version), ...selected }, { rowKey: 1 })
      .session(mongoSession)
      .limit('limit' in selection ? selection.limit : 0)
      .lean<Pick<RegisterCompanyRecord, 'rowKey'>[]>();
    return rows.map(({ rowKey }) => rowKey);
  },
  insert: (rows, session) => RegisterCompany.insertMany(rows, { session, lean: true }),
  remove: (version, keys, session) =>
    RegisterCompany.deleteMany({ ...buildRegisterRowFilter(version), rowKey: { $in: keys } }, { session }),
};

/**
 * Inserts rows of a version, leaving out those that repeat another row. A transaction cannot go on after a violation of
 * a unique index, so that stored keys are read before.
 * @returns positions of the rows that were left out
 */
export async function insertNewRows<T>(
  writer: RowWriter<T>,
  version: RegisterVersion,
  rows: readonly T[],
  mongoSession: ClientSession,
): Promise<number[]> {
  const known = new Set(await writer.listKeys(version, { keys: rows.map((row) => writer.getKey(row)) }, mongoSession));
  const repeated: number[] = [];
  const added: T[] = [];
  for (const [at, row] of rows.entries()) {
    const key = writer.getKey(row);
    if (known.has(key)) repeated.push(at);
    else added.push(row);
    known.add(key);
  }
  if (added.length > 0) await writer.insert(added, mongoSession);
  return repeated;
}

/** Removes the first `limit` rows of a version. @returns the number of removed rows */
export async function removeFirstRows<T>(
  writer: RowWriter<T>,
  version: RegisterVersion,
  limit: number,
  mongoSession: ClientSession,
): Promise<number> {
  const keys = await writer.listKeys(version, { limit }, mongoSession);
  if (keys.length > 0) await writer.remove(version, keys, mongoSession);
  return keys.length;
}

/** Removes all rows of a version. @returns the number of removed rows */
export async function removeRegisterRows(version: RegisterVersion, kind: RegisterKind): Promise<number> {
  const filter = buildRegisterRowFilter(version);
  const { deletedCount } =
    kind === 'persons' ? await RegisterPerson.deleteMany(filter) : await RegisterCompany.deleteMany(filter);
  return deletedCount;
}
