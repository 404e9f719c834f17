import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/** A labelled file: its columns by name, and the folder its file names are relative to. */
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

/** The value below which a share (0–1) of the values lies; 0 for none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export const roundTo = (value: number, digits = 4): number => Number(value.toFixed(digits));

/** Prints the figures as one line of JSON and as a table of name and value. */
export function report(name: string, figures: Record<string, number | string>): void {
  console.log(JSON.stringify({ bench: name, ...figures }));
  const width = Math.max(...Object.keys(figures).map((key) => key.length));
  for (const [key, value] of Object.entries(figures)) console.log(`  ${key.padEnd(width)}  ${value}`);
}

/** What a bench command was given: its files and `--name value` or `--name` options. */
export interface BenchInput {
  files: string[];
  rows: boolean;
  modelsDir: string;
}
