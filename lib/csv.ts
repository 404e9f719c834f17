import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';

/** A row of a CSV file: text by column, and the number of its last line (the header is line 1). */
export interface CsvLine {
  line: number;
  row: Record<string, string>;
}

const MAX_RECORD_BYTES = 256 * 1024;

/** Output of the parser with `info`. A type guard, since a zod schema would take longer than the parsing itself. */
interface ParsedLine {
  info: { lines: number };
  record: Record<string, string>;
}

const isParsedLine = (item: unknown): item is ParsedLine =>
  typeof item === 'object' && item !== null && 'info' in item && 'record' in item;

/** Malformed CSV. `code` is an error code of the parser, such as CSV_RECORD_INCONSISTENT_COLUMNS. */
export class CsvParseError extends Error {
  override readonly name = 'CsvParseError';

  constructor(
    readonly code: string,
    readonly line: number,
  ) {
    super(`line ${line}: ${code}`);
  }
}

const toCsvParseError = (error: unknown): unknown => {
  if (!(error instanceof CsvError)) return error;
  const line: unknown = error['lines'];
  return new CsvParseError(error.code.toLowerCase(), typeof line === 'number' ? line : 1);
};

/**
 * Reads a CSV file (RFC 4180, UTF-8 with or without BOM) as a stream of rows.
 * @param onHeader receives the column names before the first row
 * @param keepColumns columns to include in the rows; all by default
 * @throws CsvParseError if the file is malformed
 */
export async function* readCsv(
  source: Readable,
  onHeader: (names: string[]) => void = () => undefined,
  keepColumns?: ReadonlySet<string>,
): AsyncGenerator<CsvLine> {
  const parser = parse({
    bom: true,
    info: true,
    skip_empty_lines: true,
    trim: true,
    max_record_size: MAX_RECORD_BYTES,
    columns: (header: string[]) => {
      onHeader(header);
      return keepColumns === undefined ? header : header.map((name) => (keepColumns.has(name) ? name : false));
    },
  });
  source.once('error', (error) => parser.destroy(error));
  source.pipe(parser);
  try {
    for await (const item of parser) {
      if (isParsedLine(item)) yield { line: item.info.lines, row: item.record };
    }
  } catch (error) {
    throw toCsvParseError(error);
  } finally {
    source.destroy();
  }
}
