import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A file of labels: one record per row, and the folder that file names in it are relative to. */
export interface Labels {
  folder: string;
  rows: Record<string, string>[];
}

/** Reads a comma-separated file with a header line; fields may be quoted. */
export async function readLabels(path: string): Promise<Labels> {
  const lines = (await readFile(path, 'utf8')).split(/\r?\n/).filter((line) => line !== '');
  const parseFields = (line: string): string[] =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g)].map(([, quoted, plain]) =>
      quoted === undefined ? (plain ?? '') : quoted.replaceAll('""', '"'),
    );
  const [header, ...body] = lines.map(parseFields);
  if (header === undefined) throw new Error(`${path} is empty.`);
  return {
    folder: dirname(resolve(path)),
    rows: body.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? '']))),
  };
}
