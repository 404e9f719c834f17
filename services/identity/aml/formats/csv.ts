import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../../../domain/errors';

/** Removes the DOS end-of-file mark, with which OFAC's files end. */
const createEofMarkFilter = (): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk.includes(0x1a) ? Buffer.from(chunk.filter((byte) => byte !== 0x1a)) : chunk);
    },
  });

/**
 * Streams the rows of a CSV file in UTF-8, without empty lines. Unlike lib/csv.ts it tolerates the unbalanced quotes
 * and varying column counts of published lists.
 * @throws AppError `invalid_list` if it is not CSV
 */
export async function* readCsvRows(stream: Readable): AsyncIterable<string[]> {
  const cleaned = createEofMarkFilter();
  const parser = parse({ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  stream.on('error', (error) => parser.destroy(error));
  stream.pipe(cleaned).pipe(parser);
  try {
    for await (const row of parser) yield row as string[];
  } catch (error) {
    if (error instanceof CsvError)
      throw new AppError('invalid_list', 422, `The file is not valid CSV: ${error.message}`);
    throw error;
  } finally {
    stream.destroy();
  }
}

/** Reads the first non-empty value of the named columns; names are compared by their letters and digits only. */
export type NamedRow = (...names: string[]) => string;

/** The letters and digits of a column name, in lower case: publishers vary the rest. */
export const normaliseColumnName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** Streams rows with named columns. The header is the first row that `isHeader` accepts. */
export async function* readNamedRows(
  stream: Readable,
  isHeader: (columns: readonly string[]) => boolean,
): AsyncIterable<NamedRow> {
  let columns: Map<string, number> | undefined;
  for await (const row of readCsvRows(stream)) {
    if (columns === undefined) {
      const keys = row.map(normaliseColumnName);
      if (isHeader(keys)) columns = new Map(keys.map((key, at) => [key, at]));
      continue;
    }
    const columnIndexes = columns;
    yield (...names) => {
      for (const name of names) {
        const at = columnIndexes.get(normaliseColumnName(name));
        const value = at === undefined ? '' : (row[at] ?? '').trim();
        if (value !== '') return value;
      }
      return '';
    };
  }
  if (columns === undefined)
    throw new AppError('invalid_list', 422, 'The file has no header with the required columns.');
}
