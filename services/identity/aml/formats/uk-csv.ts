import type { ListedType, WatchEntry } from '../../../../domain/identity/aml/entry';
import { namedRows } from './csv';
import type { NamedRow } from './csv';
import { tally } from './source';
import type { ListParser } from './source';
import { blankEntry, countryCodes, genderOf, partialDate, present, remarkOf } from './values';

const TYPES: Readonly<Record<string, ListedType>> = { individual: 'person', entity: 'company', ship: 'vessel' };

/** Names stand in parts, the family name in the sixth. */
const nameOf = (row: NamedRow): string =>
  present(['Name 1', 'Name 2', 'Name 3', 'Name 4', 'Name 5', 'Name 6'].map((part) => row(part))).join(' ');

const several = (text: string): string[] => present(text.split(/\s*(?:\||;|\(\d+\))\s*/));

function firstOf(row: NamedRow, id: string): WatchEntry {
  return {
    ...blankEntry(id, ''),
    type:
      TYPES[row('Individual, Entity, Ship', 'Designation Type', 'Type', 'Group Type').toLowerCase()] ??
      (row('IMO number') === '' ? 'unknown' : 'vessel'),
    remarks: remarkOf(row('UK Statement of Reasons', 'Other Information')),
    listedOn: partialDate(row('Date Designated', 'Listed On')),
  };
}

function identifiersOf(row: NamedRow): WatchEntry['identifiers'] {
  const columns = [
    ['Passport', row('Passport number', 'Passport Number')],
    ['National identifier', row('National Identifier number', 'National Identification Number')],
    ['Business registration', row('Business registration number (s)', 'Business Registration Number')],
    ['IMO', row('IMO number')],
    ['Hull identification', row('Hull identification number (HIN)')],
  ] as const;
  return columns.flatMap(([type, text]) => several(text).map((value) => ({ type, value, country: null })));
}

/** Adds what one row says: the list has a row for each name, address, date and document. */
function addRow(entry: WatchEntry, row: NamedRow): void {
  const name = nameOf(row);
  const weak = /low|weak/i.test(row('Alias strength', 'Alias Quality'));
  const primary = /primary name\b(?!.*variation)/i.test(row('Name type', 'Alias Type'));
  const known = [entry.caption, ...entry.aliases.map((alias) => alias.name)];
  if (primary && name !== '' && entry.caption !== name) {
    if (entry.caption !== '') entry.aliases.push({ name: entry.caption, weak: false });
    entry.caption = name;
    entry.aliases = entry.aliases.filter((alias) => alias.name !== name);
  } else if (name !== '' && !known.includes(name)) {
    if (entry.caption === '') entry.caption = name;
    else entry.aliases.push({ name, weak });
  }
  const original = row('Name non-latin script', 'Name Non-Latin Script');
  if (original !== '' && !known.includes(original)) entry.aliases.push({ name: original, weak: false });
  const address = present([
    ...[1, 2, 3, 4, 5, 6].map((line) => row(`Address Line ${line}`, `Address ${line}`)),
    row('Address Postal Code', 'Post/Zip Code'),
    row('Address Country', 'Country'),
  ]).join(', ');
  const gender = genderOf(row('Gender'));
  entry.addresses = present([...entry.addresses, address]);
  entry.datesOfBirth = present([...entry.datesOfBirth, ...several(row('D.O.B', 'DOB')).map(partialDate)]);
  entry.countries = present([
    ...entry.countries,
    ...countryCodes([
      ...several(row('Nationality(/ies)', 'Nationality')),
      row('Address Country', 'Country'),
      row('Current believed flag of ship'),
    ]),
  ]);
  if (gender !== null && !entry.genders.includes(gender)) entry.genders.push(gender);
  entry.programs = present([...entry.programs, row('Regime Name', 'Regime')]);
  entry.positions = present([...entry.positions, ...several(row('Position'))]);
  for (const identifier of identifiersOf(row)) {
    if (!entry.identifiers.some(({ value }) => value === identifier.value)) entry.identifiers.push(identifier);
  }
}

/** The UK sanctions list in CSV. Rows of one entry need not stand together, so that entries are given at the end. */
export const parseUkCsv: ListParser = async function* (source, counts) {
  const entries = new Map<string, WatchEntry>();
  for await (const row of namedRows(source.open(), isUkHeader)) {
    const id = row('Unique ID', 'Group ID');
    if (id === '') {
      counts.skipped += 1;
      continue;
    }
    const entry = entries.get(id) ?? firstOf(row, id);
    entries.set(id, entry);
    addRow(entry, row);
  }
  for (const entry of entries.values()) {
    if (tally(counts, entry)) yield entry;
  }
};

export const isUkHeader = (columns: readonly string[]): boolean =>
  columns.includes('name6') && (columns.includes('uniqueid') || columns.includes('groupid'));
