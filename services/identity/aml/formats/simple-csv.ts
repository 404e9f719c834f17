import type { ListedType, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { readNamedRows } from './csv';
import type { NamedRow } from './csv';
import { countEntry } from './source';
import type { ListParser } from './source';
import {
  createBlankEntry,
  resolveCountryCodes,
  parseGenders,
  parsePartialDate,
  uniqueNonEmpty,
  normaliseRemark,
} from './values';

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

const splitValues = (text: string): string[] => uniqueNonEmpty(text.split(/\s*;\s*/));

const parseAliases = (text: string, weak: boolean): WatchListEntry['aliases'] =>
  splitValues(text).map((name) => ({ name, weak }));

const parseIdentifiers = (text: string): WatchListEntry['identifiers'] =>
  splitValues(text).map((value) => ({ type: 'Identifier', value, country: null }));

/** Whether the columns are those of `targets.simple.csv` of OpenSanctions. */
export const isOpenSanctionsHeader = (columns: readonly string[]): boolean =>
  ['id', 'schema', 'name', 'birthdate', 'dataset'].every((column) => columns.includes(column));

/** OpenSanctions' `targets.simple.csv`. Commercial use of its data requires a licence of the publisher. */
export const parseOpenSanctionsCsv: ListParser = async function* (source, counts) {
  for await (const row of readNamedRows(source.open(), isOpenSanctionsHeader)) {
    const id = row('id');
    const entry: WatchListEntry = {
      ...createBlankEntry(id, row('name')),
      type: OPENSANCTIONS_TYPES[row('schema').toLowerCase()] ?? 'unknown',
      aliases: parseAliases(row('aliases'), false),
      datesOfBirth: uniqueNonEmpty(splitValues(row('birth_date')).map(parsePartialDate)),
      countries: resolveCountryCodes(splitValues(row('countries'))),
      identifiers: parseIdentifiers(row('identifiers')),
      programs: splitValues(row('program_ids') || row('sanctions')),
      addresses: splitValues(row('addresses')),
      remarks: normaliseRemark(row('sanctions')),
      sourceUrl: `https://www.opensanctions.org/entities/${encodeURIComponent(id)}/`,
      listedOn: parsePartialDate(row('first_seen')),
    };
    if (countEntry(counts, entry)) yield entry;
  }
};

/** Whether the columns are those of a list that an organisation made itself. */
export const isOwnHeader = (columns: readonly string[]): boolean => columns.includes('name');

function parseOwnEntry(row: NamedRow, number: number): WatchListEntry {
  return {
    ...createBlankEntry(row('id') || String(number), row('name')),
    type: OWN_TYPES[row('type', 'entityType').toLowerCase()] ?? 'unknown',
    aliases: [...parseAliases(row('aliases'), false), ...parseAliases(row('weakAliases'), true)],
    datesOfBirth: uniqueNonEmpty(splitValues(row('datesOfBirth', 'dateOfBirth')).map(parsePartialDate)),
    countries: resolveCountryCodes(splitValues(row('countries', 'country', 'nationality'))),
    genders: parseGenders([row('gender')]),
    identifiers: parseIdentifiers(row('identifiers', 'documentNumber')),
    programs: splitValues(row('programs', 'program')),
    positions: splitValues(row('positions', 'position')),
    addresses: splitValues(row('addresses', 'address')),
    remarks: normaliseRemark(row('remarks', 'notes')),
    sourceUrl: row('sourceUrl') || null,
    listedOn: parsePartialDate(row('listedOn')),
  };
}

/**
 * An operator's own list: a header with `name` and any of the other columns; multiple values are separated by
 * semicolons.
 */
export const parseOwnCsv: ListParser = async function* (source, counts) {
  let number = 0;
  for await (const row of readNamedRows(source.open(), isOwnHeader)) {
    number += 1;
    const entry = parseOwnEntry(row, number);
    if (countEntry(counts, entry)) yield entry;
  }
};
