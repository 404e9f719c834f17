import { CsvError, parse } from 'csv-parse/sync';
import { isCalendarDate } from '../../../../domain/business/calendar';
import { Decimal } from '../../../../domain/business/decimal';
import {
  MAX_STATEMENT_TRANSACTIONS,
  requireTransactionCount,
  StatementError,
} from '../../../../domain/business/banking/bank-statement';
import type { Statement, StatementTransaction } from '../../../../domain/business/banking/bank-statement';

/** Forms of dates in CSV files. */
export const CSV_DATE_FORMATS = ['YYYY-MM-DD', 'DD.MM.YYYY', 'DD/MM/YYYY', 'MM/DD/YYYY'] as const;
export type CsvDateFormat = (typeof CSV_DATE_FORMATS)[number];

/** The columns of a CSV file, by their names in its header. */
export interface CsvMapping {
  bookingDate: string;
  amount: string;
  valueDate?: string | undefined;
  currency?: string | undefined;
  counterpartyName?: string | undefined;
  counterpartyIban?: string | undefined;
  remittance?: string | undefined;
  endToEndId?: string | undefined;
  bankReference?: string | undefined;
  delimiter?: ',' | ';' | '\t' | undefined;
  dateFormat?: CsvDateFormat | undefined;
  decimalSeparator?: '.' | ',' | undefined;
  /** Number of lines before the header. */
  skipLines?: number | undefined;
}

const DATE_ORDERS: Readonly<Record<CsvDateFormat, [pattern: RegExp, year: number, month: number, day: number]>> = {
  'YYYY-MM-DD': [/^(\d{4})-(\d{1,2})-(\d{1,2})$/, 1, 2, 3],
  'DD.MM.YYYY': [/^(\d{1,2})\.(\d{1,2})\.(\d{4})$/, 3, 2, 1],
  'DD/MM/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 2, 1],
  'MM/DD/YYYY': [/^(\d{1,2})\/(\d{1,2})\/(\d{4})$/, 3, 1, 2],
};

function readDate(text: string, format: CsvDateFormat, where: string): string {
  const [pattern, year, month, day] = DATE_ORDERS[format];
  const match = pattern.exec(text.trim());
  const part = (index: number): string => (match?.[index] ?? '').padStart(2, '0');
  const date = `${part(year)}-${part(month)}-${part(day)}`;
  if (!isCalendarDate(date)) throw new StatementError(`${where} must be a date ${format}`);
  return date;
}

/** Groups of digits end with one of three, as 1,234,567 or 12,34,567: a decimal comma is not taken for their separator. */
const AMOUNT_PATTERNS = {
  '.': /^([+-]?)\s*(\d+|\d{1,3}(?:[,'’\s]\d{2,3})*[,'’\s]\d{3})(?:\.(\d{1,5}))?$/,
  ',': /^([+-]?)\s*(\d+|\d{1,3}(?:[.'’\s]\d{2,3})*[.'’\s]\d{3})(?:,(\d{1,5}))?$/,
} as const;
const MAX_WHOLE_DIGITS = 15;

/** An amount with a sign and separators of thousands. */
function readAmount(text: string, decimalSeparator: '.' | ',', where: string): Decimal {
  const [, sign = '', grouped = '', decimals = '0'] = AMOUNT_PATTERNS[decimalSeparator].exec(text.trim()) ?? [];
  const whole = grouped.replace(/\D/g, '');
  if (whole === '' || whole.length > MAX_WHOLE_DIGITS)
    throw new StatementError(`${where} must be an amount such as -1234${decimalSeparator}56`);
  return new Decimal(`${sign === '-' ? '-' : ''}${whole}.${decimals}`);
}

const MAPPED = [
  'bookingDate',
  'amount',
  'valueDate',
  'currency',
  'counterpartyName',
  'counterpartyIban',
  'remittance',
  'endToEndId',
  'bankReference',
] as const;

/** The columns that a mapping names and the header lacks. */
const findMissingColumns = (mapping: CsvMapping, header: readonly string[]): string[] =>
  MAPPED.flatMap((name) => {
    const column = mapping[name];
    return column === undefined || header.includes(column) ? [] : [`${name}: ${column}`];
  });

/** No bank exports more columns. */
const MAX_COLUMNS = 500;
const MAX_RECORD_LENGTH = 256 * 1024;
/** Of the names of columns that an error lists. */
const MAX_LISTED_LENGTH = 500;

/** The columns to keep: those that are mapped. @throws StatementError */
function selectColumns(header: readonly string[], mapping: CsvMapping): (string | false)[] {
  if (header.length > MAX_COLUMNS) throw new StatementError(`must have at most ${MAX_COLUMNS} columns`);
  const missing = findMissingColumns(mapping, header);
  if (missing.length > 0) {
    const names = header.join(', ');
    const listed = names.length > MAX_LISTED_LENGTH ? `${names.slice(0, MAX_LISTED_LENGTH)} …` : names;
    throw new StatementError(`lacks mapped columns (${missing.join(', ')}); it has ${listed}`);
  }
  const mapped = new Set(MAPPED.flatMap((name) => mapping[name] ?? []));
  return header.map((name) => (mapped.has(name) ? name : false));
}

const longRowError = () => new StatementError(`a row must have at most ${MAX_RECORD_LENGTH} characters`);

/** Reads the mapped columns, and no more rows than show that there are too many. */
function parseRecords(text: string, mapping: CsvMapping): Record<string, string>[] {
  const { delimiter = ',', skipLines = 0 } = mapping;
  // The parser does not count empty fields.
  for (const [line] of text.matchAll(/[^\r\n]+/g)) if (line.length > MAX_RECORD_LENGTH) throw longRowError();
  try {
    return parse(text, {
      bom: true,
      columns: (header: string[]) => selectColumns(header, mapping),
      delimiter,
      from_line: skipLines + 1,
      max_record_size: MAX_RECORD_LENGTH,
      to: MAX_STATEMENT_TRANSACTIONS + 1,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof CsvError && error.code === 'CSV_MAX_RECORD_SIZE') throw longRowError();
    if (error instanceof CsvError) throw new StatementError(`is not CSV: ${error.code}`);
    throw error;
  }
}

/**
 * Reads a CSV file, which every bank writes differently, by a mapping of its columns.
 * @param defaults account of the file, and currency of rows without one
 * @throws StatementError for a missing column or a malformed row, with its number
 */
export function readCsvStatement(
  text: string,
  mapping: CsvMapping,
  defaults: { account: string | null; currencyCode: string },
): Statement[] {
  const rows = parseRecords(text, mapping);
  if (rows.length === 0) throw new StatementError('has no rows after its header');
  requireTransactionCount(rows.length);
  const { dateFormat = 'YYYY-MM-DD', decimalSeparator = '.' } = mapping;
  const transactions = rows.map((row, index): StatementTransaction => {
    const where = `row ${index + 1}: `;
    const read = (column: string | undefined): string | null => {
      // A short row lacks columns of the header, whose names every object may have.
      const value = column !== undefined && Object.hasOwn(row, column) ? (row[column] ?? '') : '';
      return value === '' ? null : value;
    };
    const bookingDate = readDate(read(mapping.bookingDate) ?? '', dateFormat, `${where}${mapping.bookingDate}`);
    const valueDate = read(mapping.valueDate);
    return {
      bookingDate,
      valueDate:
        valueDate === null ? bookingDate : readDate(valueDate, dateFormat, `${where}${mapping.valueDate ?? ''}`),
      amount: readAmount(read(mapping.amount) ?? '', decimalSeparator, `${where}${mapping.amount}`),
      currencyCode: read(mapping.currency) ?? defaults.currencyCode,
      counterpartyName: read(mapping.counterpartyName),
      counterpartyIban: read(mapping.counterpartyIban)?.replaceAll(/\s/g, '') ?? null,
      remittance: read(mapping.remittance) ?? '',
      endToEndId: read(mapping.endToEndId),
      bankReference: read(mapping.bankReference),
    };
  });
  const { account, currencyCode } = defaults;
  const head = { format: 'csv', number: null, account, currencyCode } as const;
  return [{ ...head, openingBalance: null, closingBalance: null, transactions }];
}
