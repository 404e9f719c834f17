import { CsvError, parse } from 'csv-parse/sync';
import { isCalendarDate } from '../../../../domain/business/calendar';
import { Decimal } from '../../../../domain/business/decimal';
import { requireTransactionCount, StatementError } from '../../../../domain/business/banking/bank-statement';
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

function parseRecords(text: string, { delimiter = ',', skipLines = 0 }: CsvMapping): Record<string, string>[] {
  try {
    return parse(text, {
      bom: true,
      columns: true,
      delimiter,
      from_line: skipLines + 1,
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof CsvError) throw new StatementError(`is not CSV: ${error.code}`);
    throw error;
  }
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
const findMissingColumns = (mapping: CsvMapping, row: Record<string, string>): string[] =>
  MAPPED.flatMap((name) => {
    const column = mapping[name];
    return column === undefined || Object.hasOwn(row, column) ? [] : [`${name}: ${column}`];
  });

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
  const [first] = rows;
  if (first === undefined) throw new StatementError('has no rows after its header');
  const missing = findMissingColumns(mapping, first);
  if (missing.length > 0)
    throw new StatementError(`lacks mapped columns (${missing.join(', ')}); it has ${Object.keys(first).join(', ')}`);
  requireTransactionCount(rows.length);
  const { dateFormat = 'YYYY-MM-DD', decimalSeparator = '.' } = mapping;
  const transactions = rows.map((row, index): StatementTransaction => {
    const where = `row ${index + 1}: `;
    const read = (column: string | undefined): string | null => {
      const value = column === undefined ? '' : (row[column] ?? '');
      return value === '' ? null : value;
    };
    const bookingDate = readDate(row[mapping.bookingDate] ?? '', dateFormat, `${where}${mapping.bookingDate}`);
    const valueDate = read(mapping.valueDate);
    return {
      bookingDate,
      valueDate:
        valueDate === null ? bookingDate : readDate(valueDate, dateFormat, `${where}${mapping.valueDate ?? ''}`),
      amount: readAmount(row[mapping.amount] ?? '', decimalSeparator, `${where}${mapping.amount}`),
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
