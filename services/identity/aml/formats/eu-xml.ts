import type { ListedType, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { countEntry } from './source';
import type { ListParser } from './source';
import {
  createBlankEntry,
  resolveCountryCode,
  resolveCountryCodes,
  parseGenders,
  parsePartialDate,
  uniqueNonEmpty,
  normaliseRemark,
} from './values';
import { getChildren, getText, readXmlElements } from './xml';
import type { XmlNode } from './xml';

const TYPES: Readonly<Record<string, ListedType>> = { person: 'person', enterprise: 'company' };

const getAttribute = (node: XmlNode, name: string): string => node.attributes[name]?.trim() ?? '';

const formatAddress = (node: XmlNode): string =>
  uniqueNonEmpty(
    ['street', 'poBox', 'zipCode', 'city', 'region', 'countryDescription'].map((part) => getAttribute(node, part)),
  ).join(', ');

function parseBirthDate(node: XmlNode): string | null {
  const date = getAttribute(node, 'birthdate') || getAttribute(node, 'year');
  // Dates in other calendars accompany the Gregorian ones.
  if (!/^(?:|GREGORIAN)$/i.test(getAttribute(node, 'calendarType'))) return null;
  return parsePartialDate((getAttribute(node, 'circa') === 'true' ? 'circa ' : '') + date);
}

function parseEntry(node: XmlNode): WatchListEntry {
  const names = getChildren(node, 'nameAlias').map((alias) => ({
    name:
      getAttribute(alias, 'wholeName') ||
      uniqueNonEmpty(['firstName', 'middleName', 'lastName'].map((part) => getAttribute(alias, part))).join(' '),
    weak: getAttribute(alias, 'strong') === 'false',
  }));
  const [first, ...others] = [...names.filter(({ weak }) => !weak), ...names.filter(({ weak }) => weak)].filter(
    ({ name }) => name !== '',
  );
  const regulation = getChildren(node, 'regulation')[0];
  const findAll = (name: string): XmlNode[] => getChildren(node, name);
  return {
    ...createBlankEntry(getAttribute(node, 'euReferenceNumber') || getAttribute(node, 'logicalId'), first?.name ?? ''),
    type: TYPES[getAttribute(getChildren(node, 'subjectType')[0] ?? node, 'code')] ?? 'unknown',
    aliases: others,
    datesOfBirth: uniqueNonEmpty(findAll('birthdate').map(parseBirthDate)),
    countries: resolveCountryCodes(
      [...findAll('citizenship'), ...findAll('address')].map(
        (each) => getAttribute(each, 'countryIso2Code').replace('00', '') || getAttribute(each, 'countryDescription'),
      ),
    ),
    genders: [...new Set(parseGenders(findAll('nameAlias').map((alias) => getAttribute(alias, 'gender'))))],
    identifiers: findAll('identification')
      .map((each) => ({
        type: getAttribute(each, 'identificationTypeDescription') || getAttribute(each, 'identificationTypeCode'),
        value: getAttribute(each, 'number') || getAttribute(each, 'latinNumber'),
        country: resolveCountryCode(getAttribute(each, 'countryIso2Code')),
      }))
      .filter(({ value }) => value !== ''),
    programs: uniqueNonEmpty(findAll('regulation').map((each) => getAttribute(each, 'programme'))),
    positions: uniqueNonEmpty(findAll('nameAlias').map((alias) => getAttribute(alias, 'function'))),
    addresses: uniqueNonEmpty(findAll('address').map(formatAddress)),
    remarks: normaliseRemark(getText(node, 'remark') || getAttribute(node, 'designationDetails')),
    sourceUrl: regulation === undefined ? null : getText(regulation, 'publicationUrl') || null,
    listedOn: parsePartialDate(getAttribute(node, 'designationDate')),
  };
}

/** Consolidated financial sanctions file of the European Union, `xmlFullSanctionsList` 1.1. */
export const parseEuXml: ListParser = async function* (source, counts) {
  for await (const node of readXmlElements(source.open(), ['sanctionEntity'])) {
    const entry = parseEntry(node);
    if (countEntry(counts, entry, getChildren(node, 'address').length)) yield entry;
  }
};
