import { createReadStream, existsSync } from 'node:fs';
import path from 'node:path';
import type { IndexedEntry } from '../../domain/identity/aml/list-index';
import { detectFormat, PARSERS } from '../../services/identity/aml/formats/detection';
import { createEmptyCounts } from '../../services/identity/aml/formats/source';
import type { ListSource } from '../../services/identity/aml/formats/source';
import { readBeginning } from '../../services/identity/aml/reading';

function createFileSource(file: string): ListSource {
  return {
    name: path.basename(file),
    open: () => createReadStream(file),
    sibling(name) {
      const siblingFile = path.join(path.dirname(file), name);
      return existsSync(siblingFile) ? createReadStream(siblingFile) : null;
    },
  };
}

/** The entries of a watch list file, in any format that can be imported. */
export async function readEntries(file: string): Promise<IndexedEntry[]> {
  const source = createFileSource(file);
  const format = detectFormat(await readBeginning(source));
  const entries: IndexedEntry[] = [];
  for await (const entry of PARSERS[format](source, createEmptyCounts())) {
    entries.push({ ...entry, hash: '', firstSeen: '', lastChanged: '' });
  }
  return entries;
}
