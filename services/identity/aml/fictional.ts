import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { IndexedEntry } from '../../../domain/identity/aml/list-index';
import { sha256Hex } from '../../../lib/crypto/secrets';
import { parseOwnCsv } from './formats/simple-csv';
import { createEmptyCounts } from './formats/source';
import { compressSnapshot } from './snapshot';

const LIST_FILE = join(__dirname, 'fictional-list.csv');
/** Publication date of the fictional entries. */
const FIRST_SEEN = '2026-01-01T00:00:00.000Z';

/** The list that test keys search, as a snapshot. */
export async function buildFictionalSnapshot(): Promise<Buffer> {
  const source = { name: 'fictional-list.csv', open: () => createReadStream(LIST_FILE), sibling: () => null };
  const entries: IndexedEntry[] = [];
  for await (const entry of parseOwnCsv(source, createEmptyCounts())) {
    entries.push({ ...entry, hash: sha256Hex(JSON.stringify(entry)), firstSeen: FIRST_SEEN, lastChanged: FIRST_SEEN });
  }
  return compressSnapshot(entries);
}
