import { Transform } from 'node:stream';
import type { Readable } from 'node:stream';
import { CsvError, parse } from 'csv-parse';
import { AppError } from '../../../../domain/errors';

/** Takes the end-of-file mark of DOS off, which the Treasury's files end in. */
const createEofMarkFilter = (): Transform =>
  new Transform({
    transform(chunk: Buffer, _encoding, done) {
      done(null, chunk.includes(0x1a) ? Buffer.from(chunk.filter((byte) => byte !== 0x1a)) : chunk);
    },
  });

/**
 * Rows of a CSV file in UTF-8, as they come; empty lines are left out.
 * @throws AppError `invalid_list` where it is none
 */
export async function* readCsvRows(stream: Readable): AsyncIterable<string[]> {
  const cleaned = createEofMarkFilter();
  const parser = parse({ bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true });
  stream.on('error', (error) => parser.destroy(error));
  stream.pipe(cleaned).pipe(parser);
  try {
    for await (const row of parser) yield row as string[];
  } catch (error) {
    if (error instanceof CsvError) throw new AppError('invalid_list', 422, `The file is no CSV: ${error.message}`);
    throw error;
  }
}

/** A row of a file whose columns have names, in lower case without anything but letters and digits. */
export type NamedRow = (...names: string[]) => string;

export const normaliseColumnName = (name: string): string => name.toLowerCase().replace(/[^a-z0-9]+/g, '');

/** Rows by the names of a header line, which is the first row that `isHeader` takes. */
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
    throw new AppError('invalid_list', 422, 'The file has no header line with the columns needed.');
}
