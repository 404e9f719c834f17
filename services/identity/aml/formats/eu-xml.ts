import type { ListedType, WatchEntry } from '../../../../domain/identity/aml/entry';
import { tally } from './source';
import type { ListParser } from './source';
import { blankEntry, countryCode, countryCodes, genderOf, partialDate, present, remarkOf } from './values';
import { childrenOf, textAt, xmlElements } from './xml';
import type { XmlNode } from './xml';

const TYPES: Readonly<Record<string, ListedType>> = { person: 'person', enterprise: 'company' };

const attribute = (node: XmlNode, name: string): string => node.attributes[name]?.trim() ?? '';

const addressOf = (node: XmlNode): string =>
  present(
    ['street', 'poBox', 'zipCode', 'city', 'region', 'countryDescription'].map((part) => attribute(node, part)),
  ).join(', ');

function birthDate(node: XmlNode): string | null {
  const date = attribute(node, 'birthdate') || attribute(node, 'year');
  // Dates of other calendars are given beside the Gregorian ones.
  if (!/^(?:|GREGORIAN)$/i.test(attribute(node, 'calendarType'))) return null;
  return partialDate((attribute(node, 'circa') === 'true' ? 'circa ' : '') + date);
}

function entryOf(node: XmlNode): WatchEntry {
  const names = childrenOf(node, 'nameAlias').map((alias) => ({
    name:
      attribute(alias, 'wholeName') ||
      present(['firstName', 'middleName', 'lastName'].map((part) => attribute(alias, part))).join(' '),
    weak: attribute(alias, 'strong') === 'false',
  }));
  const [first, ...others] = [...names.filter(({ weak }) => !weak), ...names.filter(({ weak }) => weak)].filter(
    ({ name }) => name !== '',
  );
  const regulation = childrenOf(node, 'regulation')[0];
  const inAll = (name: string): XmlNode[] => childrenOf(node, name);
  return {
    ...blankEntry(attribute(node, 'euReferenceNumber') || attribute(node, 'logicalId'), first?.name ?? ''),
    type: TYPES[attribute(childrenOf(node, 'subjectType')[0] ?? node, 'code')] ?? 'unknown',
    aliases: others,
    datesOfBirth: present(inAll('birthdate').map(birthDate)),
    countries: countryCodes(
      [...inAll('citizenship'), ...inAll('address')].map(
        (each) => attribute(each, 'countryIso2Code').replace('00', '') || attribute(each, 'countryDescription'),
      ),
    ),
    genders: [
      ...new Set(
        inAll('nameAlias').flatMap((alias) => {
          const gender = genderOf(attribute(alias, 'gender'));
          return gender === null ? [] : [gender];
        }),
      ),
    ],
    identifiers: inAll('identification')
      .map((each) => ({
        type: attribute(each, 'identificationTypeDescription') || attribute(each, 'identificationTypeCode'),
        value: attribute(each, 'number') || attribute(each, 'latinNumber'),
        country: countryCode(attribute(each, 'countryIso2Code')),
      }))
      .filter(({ value }) => value !== ''),
    programs: present(inAll('regulation').map((each) => attribute(each, 'programme'))),
    positions: present(inAll('nameAlias').map((alias) => attribute(alias, 'function'))),
    addresses: present(inAll('address').map(addressOf)),
    remarks: remarkOf(textAt(node, 'remark') || attribute(node, 'designationDetails')),
    sourceUrl: regulation === undefined ? null : textAt(regulation, 'publicationUrl') || null,
    listedOn: partialDate(attribute(node, 'designationDate')),
  };
}

/** The European Union's consolidated financial sanctions file, `xmlFullSanctionsList` 1.1. */
export const parseEuXml: ListParser = async function* (source, counts) {
  for await (const node of xmlElements(source.open(), ['sanctionEntity'])) {
    const entry = entryOf(node);
    if (tally(counts, entry, childrenOf(node, 'address').length)) yield entry;
  }
};
