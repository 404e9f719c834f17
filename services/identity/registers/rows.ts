import { buildCompanyNameKeys } from '../../../domain/identity/kyb/names';
import type { ColumnProblem, RegisterKind } from '../../../domain/identity/registers/columns';
import { parseCompanyRow, parsePersonRow } from '../../../domain/identity/registers/rows';
import type { CsvRow } from '../../../domain/identity/registers/rows';
import { insertNew } from '../../../lib/mongo';
import { RegisterCompany } from '../../../models/identity/registers/register-company';
import type { RegisterCompanyRecord } from '../../../models/identity/registers/register-company';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { RegisterPerson } from '../../../models/identity/registers/register-person';
import type { RegisterPersonRecord } from '../../../models/identity/registers/register-person';
import type { RecordCipher } from '../../platform/evidence/record-cipher';

/** Look-up key of a person. */
export const buildPersonKey = (country: string, idNumber: string): string => `${country}:${idNumber}`;

type RegisterVersion = Pick<RegisterImportRecord, '_id' | 'organisationId' | 'mode'>;

/** Filter that selects the rows of a version. */
export const buildRegisterRowFilter = ({ _id, organisationId, mode }: RegisterVersion) => ({
  organisationId,
  mode,
  registerId: _id,
});

/** A parsed row ready to be inserted, or its problems. */
export type SealedRow<T> = { document: T } | { problems: ColumnProblem[] };

function sealPerson(version: RegisterVersion, cipher: RecordCipher, csv: CsvRow): SealedRow<RegisterPersonRecord> {
  const parsed = parsePersonRow(csv);
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

/** Creates and inserts the rows of one kind of register. */
export interface RowWriter<T = unknown> {
  seal(version: RegisterVersion, cipher: RecordCipher, csv: CsvRow): SealedRow<T>;
  /** @returns positions in the batch of rows that repeat another row of the file */
  insert(documents: T[]): Promise<number[]>;
}

export const PERSON_ROW_WRITER: RowWriter<RegisterPersonRecord> = {
  seal: sealPerson,
  insert: (documents) => insertNew(RegisterPerson, documents),
};
export const COMPANY_ROW_WRITER: RowWriter<RegisterCompanyRecord> = {
  seal: sealCompany,
  insert: (documents) => insertNew(RegisterCompany, documents),
};

/** Removes all rows of a version. @returns the number of removed rows */
export async function removeRegisterRows(version: RegisterVersion, kind: RegisterKind): Promise<number> {
  const filter = buildRegisterRowFilter(version);
  const { deletedCount } =
    kind === 'persons' ? await RegisterPerson.deleteMany(filter) : await RegisterCompany.deleteMany(filter);
  return deletedCount;
}
