import type { ListedType, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { buildOfacUrl } from './ofac-remarks';
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
import { findNodes, getText, getTexts, readXmlElements } from './xml';
import type { XmlNode } from './xml';

const TYPES: Readonly<Record<string, ListedType>> = {
  individual: 'person',
  entity: 'company',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

const formatName = (node: XmlNode): string => `${getText(node, 'firstName')} ${getText(node, 'lastName')}`.trim();

const formatAddress = (address: XmlNode): string =>
  uniqueNonEmpty(
    ['address1', 'address2', 'address3', 'city', 'stateOrProvince', 'postalCode', 'country'].map((part) =>
      getText(address, part),
    ),
  ).join(', ');

function parseEntry(node: XmlNode): WatchListEntry {
  const ids = findNodes(node, 'idList', 'id').map((id) => ({
    type: getText(id, 'idType'),
    value: getText(id, 'idNumber'),
    country: resolveCountryCode(getText(id, 'idCountry')),
  }));
  const addresses = findNodes(node, 'addressList', 'address');
  const id = getText(node, 'uid');
  return {
    ...createBlankEntry(id, formatName(node)),
    type: TYPES[getText(node, 'sdnType').toLowerCase()] ?? 'unknown',
    aliases: findNodes(node, 'akaList', 'aka')
      .map((aka) => ({ name: formatName(aka), weak: getText(aka, 'category').toLowerCase() === 'weak' }))
      .filter(({ name }) => name !== ''),
    datesOfBirth: uniqueNonEmpty(
      getTexts(node, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth').map(parsePartialDate),
    ),
    countries: resolveCountryCodes([
      ...getTexts(node, 'nationalityList', 'nationality', 'country'),
      ...getTexts(node, 'citizenshipList', 'citizenship', 'country'),
      ...getTexts(node, 'vesselInfo', 'vesselFlag'),
      ...addresses.map((address) => getText(address, 'country')),
    ]),
    genders: parseGenders(ids.filter(({ type }) => type === 'Gender').map(({ value }) => value)),
    identifiers: [
      { type: 'Call sign', value: getText(node, 'vesselInfo', 'callSign'), country: null },
      ...ids.filter(({ type }) => type !== 'Gender'),
    ].filter(({ value }) => value !== ''),
    programs: uniqueNonEmpty(getTexts(node, 'programList', 'program')),
    positions: uniqueNonEmpty([getText(node, 'title')]),
    addresses: uniqueNonEmpty(addresses.map(formatAddress)),
    remarks: normaliseRemark(getText(node, 'remarks')),
    sourceUrl: buildOfacUrl(id),
  };
}

/** OFAC's `sdn.xml` and `consolidated.xml`. */
export const parseOfacXml: ListParser = async function* (source, counts) {
  for await (const node of readXmlElements(source.open(), ['sdnEntry'])) {
    const entry = parseEntry(node);
    if (countEntry(counts, entry, findNodes(node, 'addressList', 'address').length)) yield entry;
  }
};
