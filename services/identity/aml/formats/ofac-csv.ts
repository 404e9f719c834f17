import type { Readable } from 'node:stream';
import type { ListedType, WatchEntry } from '../../../../domain/identity/aml/entry';
import { csvRows } from './csv';
import { factsOf, nationalityCodes } from './ofac-remarks';
import type { ListParser, ListSource } from './source';
import { blankEntry, countryCodes, present, remarkOf, spokenOrder } from './values';

/** The Treasury's mark for a field that is empty. */
const field = (row: readonly string[], at: number): string => {
  const value = row[at]?.trim() ?? '';
  return value === '-0-' ? '' : value;
};

const TYPES: Readonly<Record<string, ListedType>> = { individual: 'person', vessel: 'vessel', aircraft: 'aircraft' };

/** Files of one set have names of one pattern: `sdn.csv` with `alt.csv`, `cons_prim.csv` with `cons_alt.csv`. */
function siblingsOf(source: ListSource): Record<'aliases' | 'addresses' | 'comments', Readable | null> {
  const consolidated = /^cons_prim/i.test(source.name);
  const open = (plain: string, cons: string): Readable | null => source.sibling(consolidated ? cons : plain);
  return {
    aliases: open('alt.csv', 'cons_alt.csv'),
    addresses: open('add.csv', 'cons_add.csv'),
    comments: open('sdn_comments.csv', 'cons_comments.csv'),
  };
}

/** Rows of a side file by the entry they belong to. */
async function byEntry(stream: Readable | null): Promise<Map<string, string[][]>> {
  const rows = new Map<string, string[][]>();
  if (stream === null) return rows;
  for await (const row of csvRows(stream)) {
    const id = field(row, 0);
    if (!/^\d+$/.test(id)) continue;
    const known = rows.get(id);
    if (known === undefined) rows.set(id, [row]);
    else known.push(row);
  }
  return rows;
}

const addressOf = (row: readonly string[]): string => present([2, 3, 4, 5].map((at) => field(row, at))).join(', ');

function entryOf(
  row: readonly string[],
  aliases: readonly string[][],
  addresses: readonly string[][],
  comments: readonly string[][],
): WatchEntry {
  const type = TYPES[field(row, 2)] ?? 'company';
  const named = (name: string): string => (type === 'person' ? spokenOrder(name) : name);
  // Remarks longer than the column are continued in the comments, in the middle of a word.
  const remarks = field(row, 11) + comments.map((comment) => field(comment, 1)).join('');
  const facts = factsOf(remarks);
  const registration = [{ type: 'Call sign', value: field(row, 5), country: null }, ...facts.identifiers].filter(
    ({ value }) => value !== '',
  );
  return {
    ...blankEntry(field(row, 0), named(field(row, 1))),
    type,
    aliases: [...aliases.map((alias) => ({ name: named(field(alias, 3)), weak: false })), ...facts.aliases].filter(
      ({ name }) => name !== '',
    ),
    datesOfBirth: facts.datesOfBirth,
    genders: facts.genders,
    countries: present([
      ...nationalityCodes(facts),
      ...countryCodes([field(row, 9), ...addresses.map((address) => field(address, 4))]),
    ]),
    identifiers: registration,
    programs: present(field(row, 3).split(/\]\s*\[/)),
    positions: present([field(row, 4)]),
    addresses: present(addresses.map(addressOf)),
    remarks: remarkOf(remarks),
    sourceUrl: `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${field(row, 0)}`,
  };
}

/** Words of company names; an alias without an entry says nothing else of what it names. */
const COMPANY_WORDS =
  /\b(?:co|company|ltd|limited|llc|inc|corp|bank|group|s\.?a|gmbh|trading|shipping|foundation|jsc|ooo)\b/i;

/** An entry of which the set holds aliases alone, as happens where its files are of different days. */
function incompleteEntry(id: string, aliases: readonly string[][]): WatchEntry {
  const [first = '', ...others] = present(aliases.map((alias) => field(alias, 3)));
  const person = /^[^,]+, [^,]+$/.test(first) && !COMPANY_WORDS.test(first);
  const named = (name: string): string => (person ? spokenOrder(name) : name);
  return {
    ...blankEntry(id, named(first)),
    type: person ? 'person' : 'unknown',
    aliases: others.map((name) => ({ name: named(name), weak: false })),
    remarks: 'Published with its aliases only.',
    sourceUrl: `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${id}`,
  };
}

const total = (rows: ReadonlyMap<string, unknown[]>): number =>
  [...rows.values()].reduce((sum, { length }) => sum + length, 0);

/**
 * The CSV set of OFAC's lists: entries, aliases, addresses and comments, of which only the first is needed. Aliases whose
 * entry is missing are names under sanctions all the same, and become entries of their own.
 */
export const parseOfacCsv: ListParser = async function* (source, counts) {
  const files = siblingsOf(source);
  const aliases = await byEntry(files.aliases);
  const addresses = await byEntry(files.addresses);
  const comments = await byEntry(files.comments);
  counts.aliases += total(aliases);
  counts.addresses += total(addresses);
  const seen = new Set<string>();
  for await (const row of csvRows(source.open())) {
    const id = field(row, 0);
    if (!/^\d+$/.test(id) || field(row, 1) === '') {
      counts.skipped += 1;
      continue;
    }
    counts.entries += 1;
    seen.add(id);
    yield entryOf(row, aliases.get(id) ?? [], addresses.get(id) ?? [], comments.get(id) ?? []);
  }
  for (const [id, rows] of aliases) {
    const entry = seen.has(id) ? null : incompleteEntry(id, rows);
    if (entry === null || entry.caption === '') continue;
    counts.incomplete += 1;
    yield entry;
  }
};
