import type { ListedType, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { readNamedRows } from './csv';
import type { NamedRow } from './csv';
import { countEntry } from './source';
import type { ListParser } from './source';
import {
  createBlankEntry,
  resolveCountryCodes,
  parseGender,
  parsePartialDate,
  uniqueNonEmpty,
  normaliseRemark,
} from './values';

const TYPES: Readonly<Record<string, ListedType>> = { individual: 'person', entity: 'company', ship: 'vessel' };

/** Joins the parts of a name; the sixth is the family name. */
const formatName = (row: NamedRow): string =>
  uniqueNonEmpty(['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6'].map((part) => row(part))).join(' ');

const splitValues = (text: string): string[] => uniqueNonEmpty(text.split(/\s*(?:\||;|\(\d+\))\s*/));

function createEntry(row: NamedRow, id: string): WatchListEntry {
  return {
    ...createBlankEntry(id, ''),
    type:
      TYPES[row('Individual, Entity, Ship', 'Designation Type', 'Type', 'Group Type').toLowerCase()] ??
      (row('IMO number') === '' ? 'unknown' : 'vessel'),
    remarks: normaliseRemark(row('UK Statement of Reasons', 'Other Information')),
    listedOn: parsePartialDate(row('Date Designated', 'Listed On')),
  };
}

function parseIdentifiers(row: NamedRow): WatchListEntry['identifiers'] {
  const columns = [
    ['Passport', row('Passport number', 'Passport Number')],
    ['National identifier', row('National Identifier number', 'National Identification Number')],
    ['Business registration', row('Business registration number (s)', 'Business Registration Number')],
    ['IMO', row('IMO number')],
    ['Hull identification', row('Hull identification number (HIN)')],
  ] as const;
  return columns.flatMap(([type, text]) => splitValues(text).map((value) => ({ type, value, country: null })));
}

/** Merges a row into its entry: the list has a row for each name, address, date and document. */
function addRow(entry: WatchListEntry, row: NamedRow): void {
  const name = formatName(row);
  const weak = /low|weak/i.test(row('Alias strength', 'Alias Quality'));
  const primary = /primary name\b(?!.*variation)/i.test(row('Name type', 'Alias Type'));
  const existingNames = [entry.caption, ...entry.aliases.map((alias) => alias.name)];
  if (primary && name !== '' && entry.caption !== name) {
    if (entry.caption !== '') entry.aliases.push({ name: entry.caption, weak: false });
    entry.caption = name;
    entry.aliases = entry.aliases.filter((alias) => alias.name !== name);
  } else if (name !== '' && !existingNames.includes(name)) {
    if (entry.caption === '') entry.caption = name;
    else entry.aliases.push({ name, weak });
  }
  const original = row('Name non-latin script', 'Name Non-Latin Script');
  if (original !== '' && !existingNames.includes(original)) entry.aliases.push({ name: original, weak: false });
  const address = uniqueNonEmpty([
    ...[1, 2, 3, 4, 5, 6].map((line) => row(`Address Line ${line}`, `Address ${line}`)),
    row('Address Postal Code', 'Post/Zip Code'),
    row('Address Country', 'Country'),
  ]).join(', ');
  const gender = parseGender(row('Gender'));
  entry.addresses = uniqueNonEmpty([...entry.addresses, address]);
  entry.datesOfBirth = uniqueNonEmpty([
    ...entry.datesOfBirth,
    ...splitValues(row('D.O.B', 'DOB')).map(parsePartialDate),
  ]);
  entry.countries = uniqueNonEmpty([
    ...entry.countries,
    ...resolveCountryCodes([
      ...splitValues(row('Nationality(/ies)', 'Nationality')),
      row('Address Country', 'Country'),
      row('Current believed flag of ship'),
    ]),
  ]);
  if (gender !== null && !entry.genders.includes(gender)) entry.genders.push(gender);
  entry.programs = uniqueNonEmpty([...entry.programs, row('Regime Name', 'Regime')]);
  entry.positions = uniqueNonEmpty([...entry.positions, ...splitValues(row('Position'))]);
  for (const identifier of parseIdentifiers(row)) {
    if (!entry.identifiers.some(({ value }) => value === identifier.value)) entry.identifiers.push(identifier);
  }
}

/** UK sanctions list in CSV. Rows of one entry may be scattered, so that entries are emitted at the end. */
export const parseUkCsv: ListParser = async function* (source, counts) {
  const entries = new Map<string, WatchListEntry>();
  for await (const row of readNamedRows(source.open(), isUkHeader)) {
    const id = row('Unique ID', 'Group ID');
    if (id === '') {
      counts.skipped += 1;
      continue;
    }
    const entry = entries.get(id) ?? createEntry(row, id);
    entries.set(id, entry);
    addRow(entry, row);
  }
  for (const entry of entries.values()) {
    if (countEntry(counts, entry)) yield entry;
  }
};

/** Whether the columns are those of the consolidated list of the United Kingdom, old or new. */
export const isUkHeader = (columns: readonly string[]): boolean =>
  columns.includes('name6') && (columns.includes('uniqueid') || columns.includes('groupid'));
