import { FUTURE_PROBLEM, isFutureDate } from '../birth-date';
import { parseCountryCode } from '../countries';
import { COMPANY_STATUSES } from '../kyb/company';
import type { CompanyStatus, Officer, Owner } from '../kyb/company';
import type { ColumnProblem } from './columns';

/** A person of an organisation's own register. */
export interface RegisteredPerson {
  /** Country, ISO 3166-1 alpha-2. */
  country: string;
  /** National number without separators, in capital letters. */
  idNumber: string;
  firstName: string;
  lastName: string;
  /** ISO 8601; null if the register does not state it. */
  dateOfBirth: string | null;
}

/** A company of an organisation's own register. */
export interface RegisteredCompany {
  name: string;
  country: string | null;
  registrationNumber: string | null;
  vatNumber: string | null;
  lei: string | null;
  status: CompanyStatus;
  legalForm: string | null;
  incorporationDate: string | null;
  registeredAddress: string | null;
  headquarters: string | null;
  officers: Officer[];
  owners: Owner[];
}

/** A row as read from the CSV file: text by column, empty for an empty cell. */
export type CsvRow = Readonly<Record<string, string>>;

export type ParsedRow<T> = { row: T } | { problems: ColumnProblem[] };

const MAX_VALUE_LENGTH = 500;
const MAX_LIST_LENGTH = 4000;

/** Removes separators and uses capital letters, so that `12 345-6a` and `123456A` are equal. */
export const compactNumber = (value: string): string => value.replace(/[\s\-./_]/gu, '').toUpperCase();

/** Whether the text is an existing day in the form `YYYY-MM-DD`. */
export function isCalendarDate(value: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(value)) return false;
  const date = new Date(`${value}T00:00:00Z`);
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(value);
}

/** Reads the columns of a row and collects its problems. */
class RowReader {
  readonly problems: ColumnProblem[] = [];

  constructor(private readonly row: CsvRow) {}

  readText(field: string, maxLength = MAX_VALUE_LENGTH): string | null {
    const value = this.row[field]?.trim() ?? '';
    if (value.length > maxLength) this.addProblem(field, `has more than ${maxLength} characters`);
    return value === '' ? null : value;
  }

  readRequired(field: string): string {
    const value = this.readText(field);
    if (value === null) this.addProblem(field, 'is empty');
    return value ?? '';
  }

  readCountry(field: string): string | null {
    const value = this.readText(field);
    if (value === null) return null;
    const code = parseCountryCode(value);
    if (code === undefined) this.addProblem(field, 'is not an ISO 3166-1 code');
    return code ?? null;
  }

  readDate(field: string): string | null {
    const value = this.readText(field);
    if (value !== null && !isCalendarDate(value)) this.addProblem(field, 'is not a date YYYY-MM-DD');
    return value;
  }

  readBirthDate(field: string, now: Date): string | null {
    const value = this.readDate(field);
    if (value !== null && isCalendarDate(value) && isFutureDate(value, now)) this.addProblem(field, FUTURE_PROBLEM);
    return value;
  }

  readNumber(field: string): string | null {
    const value = this.readText(field);
    return value === null ? null : compactNumber(value);
  }

  addProblem(field: string, problem: string): void {
    this.problems.push({ field, problem });
  }

  /**
   * Reads pairs from a list such as `Name
   * detail; Name
   * detail`.
   */
  readPairs(field: string): [string, string][] {
    const value = this.readText(field, MAX_LIST_LENGTH);
    if (value === null) return [];
    return value
      .split(';')
      .map((part) => part.split('|').map((piece) => piece.trim()))
      .filter(([name]) => name !== undefined && name !== '')
      .map(([name = '', detail = '']) => [name, detail]);
  }
}

const toParsedRow = <T>(reader: RowReader, row: T): ParsedRow<T> =>
  reader.problems.length > 0 ? { problems: reader.problems } : { row };

/**
 * Parses a row of a register of persons.
 * @param now when the register was sent
 * @returns the person, or the problems of its fields
 */
export function parsePersonRow(csv: CsvRow, now: Date): ParsedRow<RegisteredPerson> {
  const reader = new RowReader(csv);
  reader.readRequired('country');
  const idNumber = compactNumber(reader.readRequired('idNumber'));
  const row = {
    country: reader.readCountry('country') ?? '',
    idNumber,
    firstName: reader.readRequired('firstName'),
    lastName: reader.readRequired('lastName'),
    dateOfBirth: reader.readBirthDate('dateOfBirth', now),
  };
  return toParsedRow(reader, row);
}

const isCompanyStatus = (value: string): value is CompanyStatus => COMPANY_STATUSES.some((status) => status === value);

function readStatus(reader: RowReader): CompanyStatus {
  const value = reader.readText('status')?.toLowerCase() ?? 'unknown';
  if (isCompanyStatus(value)) return value;
  reader.addProblem('status', `accepts ${COMPANY_STATUSES.join(', ')}`);
  return 'unknown';
}

const buildOfficer = ([name, role]: [string, string]): Officer => ({
  name,
  kind: 'unknown',
  role: role === '' ? null : role,
  appointedOn: null,
  resignedOn: null,
  nationality: null,
  country: null,
  dateOfBirth: null,
});

function readOwners(reader: RowReader): Owner[] {
  return reader.readPairs('owners').map(([name, share]) => {
    const percent = share === '' ? null : Number(share.replace('%', '').trim());
    if (percent !== null && !(percent >= 0 && percent <= 100)) {
      reader.addProblem('owners', 'accepts name|percentage from 0 to 100, separated by semicolons');
    }
    return {
      name,
      kind: 'unknown',
      sharesPercent: percent === null ? null : { from: percent, to: percent },
      control: [],
      registrationNumber: null,
      country: null,
      nationality: null,
      dateOfBirth: null,
      notifiedOn: null,
      ceasedOn: null,
    };
  });
}

/**
 * Parses a row of a register of companies.
 * @returns the company, or the problems of its fields
 */
export function parseCompanyRow(csv: CsvRow): ParsedRow<RegisteredCompany> {
  const reader = new RowReader(csv);
  const row = {
    name: reader.readRequired('name'),
    country: reader.readCountry('country'),
    registrationNumber: reader.readNumber('registrationNumber'),
    vatNumber: reader.readNumber('vatNumber'),
    lei: reader.readNumber('lei'),
    status: readStatus(reader),
    legalForm: reader.readText('legalForm'),
    incorporationDate: reader.readDate('incorporationDate'),
    registeredAddress: reader.readText('registeredAddress'),
    headquarters: reader.readText('headquarters'),
    officers: reader.readPairs('officers').map(buildOfficer),
    owners: readOwners(reader),
  };
  return toParsedRow(reader, row);
}
