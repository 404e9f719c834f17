import type { ListedIdentifier, WatchEntry } from '../../../../domain/identity/aml/entry';
import { tally } from './source';
import type { ListParser } from './source';
import { blankEntry, countryCode, countryCodes, genderOf, namesIn, partialDate, present, remarkOf } from './values';
import { childrenOf, textAt, textsAt, xmlElements } from './xml';
import type { XmlNode } from './xml';

const addressOf = (address: XmlNode): string =>
  present(['STREET', 'CITY', 'STATE_PROVINCE', 'ZIP_CODE', 'COUNTRY'].map((part) => textAt(address, part))).join(', ');

/** A date, a year, or every year between two. */
function datesOf(node: XmlNode): string[] {
  const about = /APPROX/i.test(textAt(node, 'TYPE_OF_DATE')) ? 'circa ' : '';
  const [from, to] = [Number(textAt(node, 'FROM_YEAR')), Number(textAt(node, 'TO_YEAR'))];
  if (from > 0 && to >= from && to - from < 30) {
    return Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
  }
  return present([partialDate(about + (textAt(node, 'DATE') || textAt(node, 'YEAR')))]);
}

const identifierOf = (document: XmlNode): ListedIdentifier => ({
  type: textAt(document, 'TYPE_OF_DOCUMENT') || textAt(document, 'TYPE_OF_DOCUMENT2') || 'Document',
  value: textAt(document, 'NUMBER'),
  country: countryCode(textAt(document, 'ISSUING_COUNTRY') || textAt(document, 'COUNTRY_OF_ISSUE')),
});

/** The parts of a name as one; the United Nations write `na` for a part there is none of. */
const namesJoined = (parts: readonly string[]): string =>
  parts.filter((part) => part !== '' && part !== 'na').join(' ');

function entryOf(node: XmlNode, kind: 'INDIVIDUAL' | 'ENTITY'): WatchEntry {
  const addresses = childrenOf(node, `${kind}_ADDRESS`);
  const gender = genderOf(textAt(node, 'GENDER'));
  const original = textAt(node, 'NAME_ORIGINAL_SCRIPT');
  const names = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((part) => textAt(node, part));
  const aliases = childrenOf(node, `${kind}_ALIAS`).map((alias) => ({
    name: textAt(alias, 'ALIAS_NAME'),
    weak: textAt(alias, 'QUALITY').toLowerCase() === 'low',
  }));
  return {
    ...blankEntry(textAt(node, 'DATAID'), namesJoined(names)),
    type: kind === 'INDIVIDUAL' ? 'person' : 'company',
    aliases: [...aliases, { name: original, weak: false }].flatMap(({ name, weak }) =>
      namesIn(name).map((each) => ({ name: each, weak })),
    ),
    datesOfBirth: present(childrenOf(node, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap(datesOf)),
    countries: countryCodes([
      ...textsAt(node, 'NATIONALITY', 'VALUE'),
      ...addresses.map((address) => textAt(address, 'COUNTRY')),
    ]),
    genders: gender === null ? [] : [gender],
    identifiers: childrenOf(node, 'INDIVIDUAL_DOCUMENT')
      .map(identifierOf)
      .filter(({ value }) => value !== ''),
    programs: present([textAt(node, 'UN_LIST_TYPE')]),
    positions: present([...textsAt(node, 'DESIGNATION', 'VALUE'), ...textsAt(node, 'TITLE', 'VALUE')]),
    addresses: present(addresses.map(addressOf)),
    remarks: remarkOf(textAt(node, 'COMMENTS1')),
    listedOn: partialDate(textAt(node, 'LISTED_ON')),
  };
}

/** The consolidated list of the United Nations Security Council. */
export const parseUnXml: ListParser = async function* (source, counts) {
  for await (const node of xmlElements(source.open(), ['INDIVIDUAL', 'ENTITY'])) {
    const kind = node.name === 'INDIVIDUAL' ? 'INDIVIDUAL' : 'ENTITY';
    const entry = entryOf(node, kind);
    if (tally(counts, entry)) yield entry;
  }
};
