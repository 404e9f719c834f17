import { parse } from 'csv-parse/sync';
import { Decimal } from '../../../../domain/business/decimal';

/** The fields of the header, as the published description of the format states them. */
const HEADER_FIELDS: readonly RegExp[] = [
  /^"(EXTF|DTVF)"$/,
  /^700$/,
  /^(16|20|21|46|48|65)$/,
  /^"Buchungsstapel"$/,
  /^13$/,
  /^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[1-2]\d|3[01])(2[0-3]|[01][0-9])[0-5][0-9][0-5][0-9][0-9]{3}$/,
  /^$/,
  /^"(?:[A-Z]{2})?"$/,
  /^".{0,25}"$/,
  /^".{0,25}"$/,
  /^(\d{4,6}|\d{7})$/,
  /^\d{1,5}$/,
  /^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[1-2]\d|3[01])$/,
  /^[4-8]$/,
  /^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[1-2]\d|3[01])$/,
  /^20[0-9]{2}(0[1-9]|1[0-2])(0[1-9]|[1-2]\d|3[01])$/,
  /^"[\w.\-/ ]{0,30}"$/,
  /^"([A-Z]{2}){0,2}"$/,
  /^[1-2]$/,
  /^(0|30|40|50|64)$/,
  /^(0|1)$/,
  /^"[A-Z]{3}"$/,
  /^$/,
  /^""$/,
  /^$/,
  /^$/,
  /^"(\d{2}){0,2}"$/,
  /^\d{0,4}$/,
  /^$/,
  /^""$/,
  /^".{0,16}"$/,
];

/** The filled fields of a row, by column; every other field must be empty. */
const ROW_FIELDS: Readonly<Record<number, RegExp>> = {
  1: /^\d{1,10},\d{2}$/,
  2: /^"(S|H)"$/,
  3: /^"[A-Z]{3}"$/,
  7: /^\d{1,9}$/,
  8: /^\d{1,9}$/,
  9: /^"(\d{4})?"$/,
  10: /^\d{4}$/,
  11: /^"[\w$%\-/&*+]{0,36}"$/,
  14: /^".{0,60}"$/,
  48: /^".{0,20}"$/,
  49: /^".{0,210}"$/,
  114: /^(0|1)$/,
};
const COLUMN_COUNT = 125;

export interface DatevRow {
  amount: Decimal;
  side: string;
  account: string;
  contraAccount: string;
  taxKey: string;
  date: string;
  document: string;
  text: string;
  /** The amount in another currency; empty in base currency. */
  information: string;
}

const splitLine = (line: string): string[] => line.split(/;(?=(?:[^"]*"[^"]*")*[^"]*$)/);

/** Reads a posting batch; every field must match the published description. */
export function readDatevBatch(bytes: Buffer): { header: string[]; rows: DatevRow[] } {
  const text = new TextDecoder('windows-1252').decode(bytes);
  const [headerLine = '', columnLine = '', ...lines] = text.split('\r\n');
  expect(lines.pop()).toBe('');
  const header = splitLine(headerLine);
  expect(header).toHaveLength(HEADER_FIELDS.length);
  header.forEach((field, index) => expect(field).toMatch(HEADER_FIELDS[index] ?? /^never$/));
  expect(columnLine.split(';')).toHaveLength(COLUMN_COUNT);
  for (const line of lines) {
    const fields = splitLine(line);
    expect(fields).toHaveLength(COLUMN_COUNT);
    fields.forEach((field, index) => expect(field).toMatch(ROW_FIELDS[index + 1] ?? /^(?:"")?$/));
  }
  const records: string[][] = parse(lines.join('\n'), { delimiter: ';' });
  const rows = records.map((fields) => ({
    amount: new Decimal((fields[0] ?? '').replace(',', '.')),
    side: fields[1] ?? '',
    account: fields[6] ?? '',
    contraAccount: fields[7] ?? '',
    taxKey: fields[8] ?? '',
    date: fields[9] ?? '',
    document: fields[10] ?? '',
    text: fields[13] ?? '',
    information: fields[48] ?? '',
  }));
  return { header, rows };
}

/** Accounts of SKR03 whose tax DATEV computes, and tax keys, with the account of the tax. */
const AUTOMATIC: Readonly<Record<string, [percent: number, account: string]>> = {
  '8400': [19, '1776'],
  '8300': [7, '1771'],
  '8736': [19, '1776'],
  '8731': [7, '1771'],
};
const TAX_KEYS: Readonly<Record<string, [percent: number, account: string]>> = {
  '0009': [19, '1576'],
  '0008': [7, '1571'],
};
const ACQUISITION_KEY = '0019';

/** Books the rows as DATEV does and returns the balance of each account; customers and vendors are collected. */
export function bookDatevRows(rows: readonly DatevRow[]): Record<string, number> {
  const balances = new Map<string, Decimal>();
  const collect = (account: string): string => (account.length === 4 ? account : account < '70000' ? '1400' : '1600');
  const post = (account: string, amount: Decimal): void =>
    void balances.set(collect(account), (balances.get(collect(account)) ?? new Decimal(0)).plus(amount));
  for (const { amount, side, account, contraAccount, taxKey } of rows) {
    const signed = side === 'S' ? amount : amount.neg();
    const [percent, taxAccount] = TAX_KEYS[taxKey] ?? AUTOMATIC[account] ?? [0, ''];
    const net = signed.div(1 + percent / 100).toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    post(account, net);
    if (percent > 0) post(taxAccount, signed.minus(net));
    post(contraAccount, signed.neg());
    if (taxKey !== ACQUISITION_KEY) continue;
    const tax = net.times('0.19').toDecimalPlaces(2, Decimal.ROUND_HALF_UP);
    post('1574', tax);
    post('1774', tax.neg());
  }
  return Object.fromEntries(
    [...balances].filter(([, balance]) => !balance.isZero()).map(([account, balance]) => [account, balance.toNumber()]),
  );
}
