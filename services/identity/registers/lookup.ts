import { listNumberSpellings } from '../../../domain/identity/kyb/match';
import { buildCompanyNameKeys } from '../../../domain/identity/kyb/names';
import { listCorrections } from '../../../domain/identity/kyb/typos';
import type { CompanyQuery } from '../../../domain/identity/kyb/company';
import type { RegisterKind } from '../../../domain/identity/registers/columns';
import type { RegisteredCompany, RegisteredPerson } from '../../../domain/identity/registers/rows';
import { RegisterCompany } from '../../../models/identity/registers/register-company';
import type { RegisterCompanyRecord } from '../../../models/identity/registers/register-company';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { RegisterPerson } from '../../../models/identity/registers/register-person';
import type { RegisterPersonRecord } from '../../../models/identity/registers/register-person';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { createRecordCipher } from '../../platform/evidence/record-cipher';
import { buildPersonKey, buildRegisterRowFilter } from './rows';

/** Maximum number of companies that are read for a name; the best of them are scored. */
const MAX_CANDIDATES = 50;

/** The imported version of a register that lookups read; null without one. */
export const findActiveRegister = (scope: Scope, kind: RegisterKind): Promise<RegisterImportRecord | null> =>
  RegisterImport.findOne({ ...toScope(scope), kind, status: 'active', deletedAt: null }).lean<RegisterImportRecord>();

/** Result of a lookup in an organisation's register, with the version that it was read from. */
export interface RegisterAnswer<T> {
  registerId: string;
  /** Time of the version's import. */
  dataAt: Date;
  found: T;
}

/**
 * Reads the active version. A version that was replaced while it was read may have lost rows, so that the result is
 * valid only if it is still the active one.
 * @param read returns undefined if the version does not cover the query
 */
async function readActiveVersion<T>(
  scope: Scope,
  kind: RegisterKind,
  read: (version: RegisterImportRecord) => Promise<T | undefined>,
): Promise<RegisterAnswer<T> | null> {
  for (;;) {
    const version = await findActiveRegister(scope, kind);
    if (version === null) return null;
    const found = await read(version);
    const after = await findActiveRegister(scope, kind);
    if (after?._id === version._id) {
      if (found === undefined) return null;
      return { registerId: version._id, dataAt: version.completedAt ?? version.createdAt, found };
    }
  }
}

/**
 * The person with a national number. `found` is null if the register does not contain the person; the result is null if
 * the organisation has no register of the country.
 */
export const findPerson = (
  platform: Platform,
  scope: Scope,
  country: string,
  idNumber: string,
): Promise<RegisterAnswer<RegisteredPerson | null> | null> =>
  readActiveVersion(scope, 'persons', async (version) => {
    if (!version.countries.includes(country)) return undefined;
    const cipher = await createRecordCipher(platform, version, version._id);
    const numberKey = cipher.computeLookupKey(buildPersonKey(country, idNumber));
    const row = await RegisterPerson.findOne({
      ...buildRegisterRowFilter(version),
      numberKey,
    }).lean<RegisterPersonRecord>();
    return row === null ? null : (JSON.parse(cipher.open(row.sealed, numberKey)) as RegisteredPerson);
  });

const buildCompanyFilters = (query: CompanyQuery): object[] => {
  const { key, words } = buildCompanyNameKeys(query.companyName);
  const { registrationNumber, vatNumber, lei } = query;
  return [
    ...(lei === null ? [] : [{ lei }]),
    ...(registrationNumber === null ? [] : [{ registrationNumber: { $in: listNumberSpellings(registrationNumber) } }]),
    ...(vatNumber === null ? [] : [{ vatNumber }]),
    { nameKey: key },
    { nameKey: { $in: listCorrections(key) } },
    { nameWords: { $in: words } },
  ];
};

/** Companies of the organisation's register that may be the requested one, those found by number first. */
export const findCompanies = (
  platform: Platform,
  scope: Scope,
  query: CompanyQuery,
): Promise<RegisterAnswer<RegisteredCompany[]> | null> =>
  readActiveVersion(scope, 'companies', async (version) => {
    const cipher = await createRecordCipher(platform, version, version._id);
    const found = new Map<string, RegisteredCompany>();
    for (const filter of buildCompanyFilters(query)) {
      const rows = await RegisterCompany.find({ ...buildRegisterRowFilter(version), ...filter })
        .limit(MAX_CANDIDATES)
        .lean<RegisterCompanyRecord[]>();
      for (const { rowKey, sealed } of rows) {
        found.set(rowKey, JSON.parse(cipher.open(sealed, rowKey)) as RegisteredCompany);
      }
      if (found.size >= MAX_CANDIDATES) break;
    }
    return [...found.values()];
  });
