import type { ListedType, WatchEntry } from '../../../../domain/identity/aml/entry';
import { namedRows } from './csv';
import type { NamedRow } from './csv';
import { tally } from './source';
import type { ListParser } from './source';
import { blankEntry, countryCodes, genderOf, partialDate, present, remarkOf } from './values';

const OPENSANCTIONS_TYPES: Readonly<Record<string, ListedType>> = {
  person: 'person',
  company: 'company',
  organization: 'company',
  legalentity: 'unknown',
  publicbody: 'company',
  vessel: 'vessel',
  airplane: 'aircraft',
};

const OWN_TYPES: Readonly<Record<string, ListedType>> = {
  person: 'person',
  individual: 'person',
  company: 'company',
  organisation: 'company',
  organization: 'company',
  entity: 'company',
  vessel: 'vessel',
  ship: 'vessel',
  aircraft: 'aircraft',
};

const several = (text: string): string[] => present(text.split(/\s*;\s*/));

const listedNames = (text: string, weak: boolean): WatchEntry['aliases'] =>
  several(text).map((name) => ({ name, weak }));

const identifiersOf = (text: string): WatchEntry['identifiers'] =>
  several(text).map((value) => ({ type: 'Identifier', value, country: null }));

export const isOpenSanctionsHeader = (columns: readonly string[]): boolean =>
  ['id', 'schema', 'name', 'birthdate', 'dataset'].every((column) => columns.includes(column));

/** OpenSanctions' `targets.simple.csv`. Its data is licensed for commercial use by its publisher. */
export const parseOpenSanctionsCsv: ListParser = async function* (source, counts) {
  for await (const row of namedRows(source.open(), isOpenSanctionsHeader)) {
    const id = row('id');
    const entry: WatchEntry = {
      ...blankEntry(id, row('name')),
      type: OPENSANCTIONS_TYPES[row('schema').toLowerCase()] ?? 'unknown',
      aliases: listedNames(row('aliases'), false),
      datesOfBirth: present(several(row('birth_date')).map(partialDate)),
      countries: countryCodes(several(row('countries'))),
      identifiers: identifiersOf(row('identifiers')),
      programs: several(row('program_ids') || row('sanctions')),
      addresses: several(row('addresses')),
      remarks: remarkOf(row('sanctions')),
      sourceUrl: `https://www.opensanctions.org/entities/${encodeURIComponent(id)}/`,
      listedOn: partialDate(row('first_seen')),
    };
    if (tally(counts, entry)) yield entry;
  }
};

export const isOwnHeader = (columns: readonly string[]): boolean => columns.includes('name');

function ownEntry(row: NamedRow, number: number): WatchEntry {
  const gender = genderOf(row('gender'));
  return {
    ...blankEntry(row('id') || String(number), row('name')),
    type: OWN_TYPES[row('type', 'entityType').toLowerCase()] ?? 'unknown',
    aliases: [...listedNames(row('aliases'), false), ...listedNames(row('weakAliases'), true)],
    datesOfBirth: present(several(row('datesOfBirth', 'dateOfBirth')).map(partialDate)),
    countries: countryCodes(several(row('countries', 'country', 'nationality'))),
    genders: gender === null ? [] : [gender],
    identifiers: identifiersOf(row('identifiers', 'documentNumber')),
    programs: several(row('programs', 'program')),
    positions: several(row('positions', 'position')),
    addresses: several(row('addresses', 'address')),
    remarks: remarkOf(row('remarks', 'notes')),
    sourceUrl: row('sourceUrl') || null,
    listedOn: partialDate(row('listedOn')),
  };
}

/** An operator's own list: a header line with `name` and any of the other columns; several values by semicolons. */
export const parseOwnCsv: ListParser = async function* (source, counts) {
  let number = 0;
  for await (const row of namedRows(source.open(), isOwnHeader)) {
    number += 1;
    const entry = ownEntry(row, number);
    if (tally(counts, entry)) yield entry;
  }
};
