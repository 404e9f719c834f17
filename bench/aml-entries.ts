import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import type { IndexedEntry } from '../domain/identity/aml/list-index';
import { detectFormat, PARSERS } from '../services/identity/aml/formats/detection';
import { noCounts } from '../services/identity/aml/formats/source';
import type { ListSource } from '../services/identity/aml/formats/source';
import { beginningOf } from '../services/identity/aml/reading';

function fileSource(file: string): ListSource {
  return {
    name: path.basename(file),
    open: () => createReadStream(file),
    sibling(name) {
      const beside = path.join(path.dirname(file), name);
      return existsSync(beside) ? createReadStream(beside) : null;
    },
  };
}

/** The entries of a list's file, in any format that is imported. */
export async function entriesOf(file: string): Promise<IndexedEntry[]> {
  const source = fileSource(file);
  const format = detectFormat(await beginningOf(source));
  const entries: IndexedEntry[] = [];
  for await (const entry of PARSERS[format](source, noCounts())) {
    entries.push({ ...entry, hash: '', firstSeen: '', lastChanged: '' });
  }
  return entries;
}
