/** Lists that can be exported. */
export const EXPORT_RESOURCES = [
  'invoices',
  'invoice-lines',
  'credit-notes',
  'customers',
  'vendors',
  'products',
  'stock',
  'stock-ledger',
  'stock-valuation',
  'receivables',
  'receivable-payments',
  'receivable-entries',
  'payables',
  'payable-payments',
  'payable-entries',
  'purchase-orders',
  'journal',
  'leads',
  'opportunities',
] as const;
export type ExportResource = (typeof EXPORT_RESOURCES)[number];

/**
 * `zip-pdf`: the printed documents themselves. `datev`: the journal as a posting batch of the DATEV format. `saf-t`: the
 * journal with its master data as a Standard Audit File for Tax of the OECD.
 */
export const EXPORT_FORMATS = ['csv', 'xlsx', 'json', 'ndjson', 'zip-pdf', 'datev', 'saf-t'] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Formats of the journal alone. */
export const JOURNAL_FORMATS = ['datev', 'saf-t'] as const;
export type JournalFormat = (typeof JOURNAL_FORMATS)[number];

/** Whether a format contains the journal instead of rows. */
export const isJournalFormat = (format: ExportFormat): format is JournalFormat =>
  JOURNAL_FORMATS.some((each) => each === format);

/** Lists with printed documents. */
export const PRINTED_RESOURCES = ['invoices', 'credit-notes'] as const;
export type PrintedResource = (typeof PRINTED_RESOURCES)[number];

/** Whether the documents of a list are printed, so that they can be archived. */
export const isPrintedResource = (resource: ExportResource): resource is PrintedResource =>
  PRINTED_RESOURCES.some((printed) => printed === resource);

/** queued → running → completed | failed; cancelled from the first two. */
export const EXPORT_STATES = ['queued', 'running', 'completed', 'failed', 'cancelled'] as const;
export type ExportState = (typeof EXPORT_STATES)[number];

/** Maximum number of documents of one file of an archive, because its table of contents is built in memory. */
export const MAX_ARCHIVED_DOCUMENTS = 20_000;

/** One file of an archive: the ids of its documents, the first exclusive, and its place among the files. */
export interface ArchiveFile {
  after: number;
  until: number;
  /** From 1. */
  number: number;
  count: number;
  /** Id of the export of the first file. */
  firstExportId: number;
}

/**
 * How the values of a column are written: days as `YYYY-MM-DD`, decimals exactly, times in the time zone of the
 * company.
 */
export type CellKind = 'text' | 'integer' | 'decimal' | 'boolean' | 'day' | 'instant';

export interface ExportColumn {
  /** Name of the field in the lists of the API; nested fields have the name of their path, such as `addressCity`. */
  name: string;
  kind: CellKind;
}

/** A value: text and days as text, decimals as plain text, integers as numbers. */
export type Cell = string | number | boolean | Date | null;

/** Filters of an export, with the names of the list parameters. */
export interface ExportFilters {
  status?: string | undefined;
  state?: string | undefined;
  stage?: string | undefined;
  active?: 'true' | 'false' | 'all' | undefined;
  customerId?: number | number[] | undefined;
  vendorId?: number | number[] | undefined;
  invoiceId?: number | number[] | undefined;
  productId?: number | number[] | undefined;
  warehouseId?: number | number[] | undefined;
  categoryId?: number | number[] | undefined;
  ownerId?: number | number[] | undefined;
  asOf?: string | undefined;
  dateFrom?: string | undefined;
  dateTo?: string | undefined;
  search?: string | undefined;
}

export type ExportFilterName = keyof ExportFilters;

const FORMULA = /^[\s\p{Cc}]*[=+\-@＝＋－＠]|^[\t\r\n]/u;

/**
 * A sign at which a cell begins in a spreadsheet that splits lines at another separator than the comma, such as Excel
 * where the decimal separator is a comma: after a semicolon, tab or line end. There, the quotes of RFC 4180 protect
 * nothing, because a field within a line does not begin a cell.
 */
const LATER_FORMULA = /(?<=[;\t\r\n][\s\p{Cc}"]*)[=+\-@＝＋－＠]/gu;

/**
 * Escapes a text that a spreadsheet would evaluate as a formula by prefixing an apostrophe. This includes full-width
 * signs, which spreadsheets normalize, signs after blanks, and signs after a semicolon, tab or line end.
 */
export const neutraliseFormula = (text: string): string =>
  (FORMULA.test(text) ? `'${text}` : text).replace(LATER_FORMULA, "'$&");

/** Semicolons and tabs too, at which some spreadsheets split lines as well as at commas. */
const NEEDS_QUOTES = /[",;\t\r\n]/;
/** A quick test that is sufficient for most texts. */
const PLAIN_FIELD = /^[0-9A-Za-z][^",;\t\r\n]*$/;

/** Excel reads a file as UTF-8 only if it starts with this mark; other programs ignore it. */
export const BYTE_ORDER_MARK = '\uFEFF';

/** A text as a field of RFC 4180. */
export const formatCsvField = (text: string): string => {
  if (PLAIN_FIELD.test(text)) return text;
  const safe = neutraliseFormula(text);
  return NEEDS_QUOTES.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
};
