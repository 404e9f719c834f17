import type { ListedType, WatchEntry } from '../../../../domain/identity/aml/entry';
import { tally } from './source';
import type { ListParser } from './source';
import { blankEntry, countryCode, countryCodes, genderOf, partialDate, present, remarkOf } from './values';
import { nodesAt, textAt, textsAt, xmlElements } from './xml';
import type { XmlNode } from './xml';

const TYPES: Readonly<Record<string, ListedType>> = {
  individual: 'person',
  entity: 'company',
  vessel: 'vessel',
  aircraft: 'aircraft',
};

const nameOf = (node: XmlNode): string => `${textAt(node, 'firstName')} ${textAt(node, 'lastName')}`.trim();

const addressOf = (address: XmlNode): string =>
  present(
    ['address1', 'address2', 'address3', 'city', 'stateOrProvince', 'postalCode', 'country'].map((part) =>
      textAt(address, part),
    ),
  ).join(', ');

function entryOf(node: XmlNode): WatchEntry {
  const ids = nodesAt(node, 'idList', 'id').map((id) => ({
    type: textAt(id, 'idType'),
    value: textAt(id, 'idNumber'),
    country: countryCode(textAt(id, 'idCountry')),
  }));
  const addresses = nodesAt(node, 'addressList', 'address');
  const id = textAt(node, 'uid');
  return {
    ...blankEntry(id, nameOf(node)),
    type: TYPES[textAt(node, 'sdnType').toLowerCase()] ?? 'unknown',
    aliases: nodesAt(node, 'akaList', 'aka')
      .map((aka) => ({ name: nameOf(aka), weak: textAt(aka, 'category').toLowerCase() === 'weak' }))
      .filter(({ name }) => name !== ''),
    datesOfBirth: present(textsAt(node, 'dateOfBirthList', 'dateOfBirthItem', 'dateOfBirth').map(partialDate)),
    countries: countryCodes([
      ...textsAt(node, 'nationalityList', 'nationality', 'country'),
      ...textsAt(node, 'citizenshipList', 'citizenship', 'country'),
      ...textsAt(node, 'vesselInfo', 'vesselFlag'),
      ...addresses.map((address) => textAt(address, 'country')),
    ]),
    genders: ids.flatMap(({ type, value }) => {
      const gender = type === 'Gender' ? genderOf(value) : null;
      return gender === null ? [] : [gender];
    }),
    identifiers: [
      { type: 'Call sign', value: textAt(node, 'vesselInfo', 'callSign'), country: null },
      ...ids.filter(({ type }) => type !== 'Gender'),
    ].filter(({ value }) => value !== ''),
    programs: present(textsAt(node, 'programList', 'program')),
    positions: present([textAt(node, 'title')]),
    addresses: present(addresses.map(addressOf)),
    remarks: remarkOf(textAt(node, 'remarks')),
    sourceUrl: `https://sanctionssearch.ofac.treas.gov/Details.aspx?id=${id}`,
  };
}

/** OFAC's `sdn.xml` and `consolidated.xml`. */
export const parseOfacXml: ListParser = async function* (source, counts) {
  for await (const node of xmlElements(source.open(), ['sdnEntry'])) {
    const entry = entryOf(node);
    if (tally(counts, entry, nodesAt(node, 'addressList', 'address').length)) yield entry;
  }
};
