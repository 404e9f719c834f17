import type { Readable } from 'node:stream';
import type { ListedType, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { readCsvRows } from './csv';
import { buildOfacUrl, parseRemarks, resolveNationalityCodes } from './ofac-remarks';
import type { ListParser, ListSource } from './source';
import { createBlankEntry, resolveCountryCodes, uniqueNonEmpty, normaliseRemark, toSpokenOrder } from './values';

/** Reads a field; `-0-` marks an empty one. */
const getField = (row: readonly string[], at: number): string => {
  const value = row[at]?.trim() ?? '';
  return value === '-0-' ? '' : value;
};

const TYPES: Readonly<Record<string, ListedType>> = { individual: 'person', vessel: 'vessel', aircraft: 'aircraft' };

/** File names of a set follow one pattern: `sdn.csv` with `alt.csv`, `cons_prim.csv` with `cons_alt.csv`. */
function openSiblings(source: ListSource): Record<'aliases' | 'addresses' | 'comments', Readable | null> {
  const consolidated = /^cons_prim/i.test(source.name);
  const open = (plain: string, cons: string): Readable | null => source.sibling(consolidated ? cons : plain);
  return {
    aliases: open('alt.csv', 'cons_alt.csv'),
    addresses: open('add.csv', 'cons_add.csv'),
    comments: open('sdn_comments.csv', 'cons_comments.csv'),
  };
}

/** Rows of an additional file, grouped by entry. */
async function groupRowsByEntry(stream: Readable | null): Promise<Map<string, string[][]>> {
  const rows = new Map<string, string[][]>();
  if (stream === null) return rows;
  for await (const row of readCsvRows(stream)) {
    const id = getField(row, 0);
    if (!/^\d+$/.test(id)) continue;
    const existing = rows.get(id);
    if (existing === undefined) rows.set(id, [row]);
    else existing.push(row);
  }
  return rows;
}

const formatAddress = (row: readonly string[]): string =>
  uniqueNonEmpty([2, 3, 4, 5].map((at) => getField(row, at))).join(', ');

function buildEntry(
  row: readonly string[],
  aliases: readonly string[][],
  addresses: readonly string[][],
  comments: readonly string[][],
): WatchListEntry {
  const type = TYPES[getField(row, 2)] ?? 'company';
  const toName = (name: string): string => (type === 'person' ? toSpokenOrder(name) : name);
  // Remarks that exceed the column continue in the comments, in the middle of a word.
  const remarks = getField(row, 11) + comments.map((comment) => getField(comment, 1)).join('');
  const facts = parseRemarks(remarks);
  const registration = [{ type: 'Call sign', value: getField(row, 5), country: null }, ...facts.identifiers].filter(
    ({ value }) => value !== '',
  );
  return {
    ...createBlankEntry(getField(row, 0), toName(getField(row, 1))),
    type,
    aliases: [...aliases.map((alias) => ({ name: toName(getField(alias, 3)), weak: false })), ...facts.aliases].filter(
      ({ name }) => name !== '',
    ),
    datesOfBirth: facts.datesOfBirth,
    genders: facts.genders,
    countries: uniqueNonEmpty([
      ...resolveNationalityCodes(facts),
      ...resolveCountryCodes([getField(row, 9), ...addresses.map((address) => getField(address, 4))]),
    ]),
    identifiers: registration,
    programs: uniqueNonEmpty(getField(row, 3).split(/\]\s*\[/)),
    positions: uniqueNonEmpty([getField(row, 4)]),
    addresses: uniqueNonEmpty(addresses.map(formatAddress)),
    remarks: normaliseRemark(remarks),
    sourceUrl: buildOfacUrl(getField(row, 0)),
  };
}

/** Words of company names, by which the type of an alias without an entry is guessed. */
const COMPANY_WORDS =
  /\b(?:co|company|ltd|limited|llc|inc|corp|bank|group|s\.?a|gmbh|trading|shipping|foundation|jsc|ooo)\b/i;

/** An entry of which the set contains only aliases, as happens if its files are of different days. */
function buildIncompleteEntry(id: string, aliases: readonly string[][]): WatchListEntry {
  const [first = '', ...others] = uniqueNonEmpty(aliases.map((alias) => getField(alias, 3)));
  const isPerson = /^[^,]+, [^,]+$/.test(first) && !COMPANY_WORDS.test(first);
  const toName = (name: string): string => (isPerson ? toSpokenOrder(name) : name);
  return {
    ...createBlankEntry(id, toName(first)),
    type: isPerson ? 'person' : 'unknown',
    aliases: others.map((name) => ({ name: toName(name), weak: false })),
    remarks: 'Published with its aliases only.',
    sourceUrl: buildOfacUrl(id),
  };
}

const countRows = (rows: ReadonlyMap<string, unknown[]>): number =>
  [...rows.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * CSV set of OFAC's lists: entries, aliases, addresses and comments, of which only the entries are required. Aliases
 * whose entry is missing are sanctioned names nevertheless, and become entries of their own.
 */
export const parseOfacCsv: ListParser = async function* (source, counts) {
  const files = openSiblings(source);
  const aliases = await groupRowsByEntry(files.aliases);
  const addresses = await groupRowsByEntry(files.addresses);
  const comments = await groupRowsByEntry(files.comments);
  counts.aliases += countRows(aliases);
  counts.addresses += countRows(addresses);
  const seen = new Set<string>();
  for await (const row of readCsvRows(source.open())) {
    const id = getField(row, 0);
    if (!/^\d+$/.test(id) || getField(row, 1) === '') {
      counts.skipped += 1;
      continue;
    }
    counts.entries += 1;
    seen.add(id);
    yield buildEntry(row, aliases.get(id) ?? [], addresses.get(id) ?? [], comments.get(id) ?? []);
  }
  for (const [id, rows] of aliases) {
    const entry = seen.has(id) ? null : buildIncompleteEntry(id, rows);
    if (entry === null || entry.caption === '') continue;
    counts.incomplete += 1;
    yield entry;
  }
};
