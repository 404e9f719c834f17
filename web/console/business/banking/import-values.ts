/** What a column of the file can contain; the first two are required. */
export const COLUMNS = [
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

export interface Mapping extends Record<(typeof COLUMNS)[number], string> {
  delimiter: string;
  dateFormat: string;
  decimalSeparator: string;
  skipLines: number | string;
}

export const NO_MAPPING: Mapping = {
  bookingDate: '',
  amount: '',
  valueDate: '',
  currency: '',
  counterpartyName: '',
  counterpartyIban: '',
  remittance: '',
  endToEndId: '',
  bankReference: '',
  delimiter: ';',
  dateFormat: 'DD.MM.YYYY',
  decimalSeparator: ',',
  skipLines: 0,
};

/** The mapping as the API reads it: columns that the file does not have are left out. */
export const toMapping = (mapping: Mapping): string =>
  JSON.stringify({
    ...Object.fromEntries(Object.entries(mapping).filter(([, value]) => value !== '')),
    skipLines: Number(mapping.skipLines),
  });

/** Part of a file in which its header is looked for. */
const HEADER_LENGTH = 65_536;

/** The beginning of a file as the API reads it: UTF-8, else Latin-1, which older exports of banks use. */
export function decodeBeginning(file: ArrayBuffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(file).slice(0, HEADER_LENGTH);
  } catch {
    // What browsers call Latin-1 is Windows-1252, in which some characters are others.
    const bytes = new Uint8Array(file).subarray(0, HEADER_LENGTH);
    return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
  }
}

/** The names of the columns in the header of the file, which the API reads again. */
export const readHeader = (text: string, { delimiter, skipLines }: Mapping): string[] => {
  const header = text.split(/\r?\n/)[Number(skipLines)] ?? '';
  const names = header.split(delimiter).map((name) => name.trim().replace(/^"(.*)"$/, '$1'));
  return [...new Set(names)].filter((name) => name !== '');
};

export const FORMATS = ['camt.053', 'mt940', 'csv'] as const;

export interface ImportValues extends Record<string, unknown> {
  format: (typeof FORMATS)[number];
  account: string;
  file: File | null;
  mapping: Mapping;
}

export const EMPTY_IMPORT: ImportValues = { format: 'camt.053', account: '', file: null, mapping: NO_MAPPING };
