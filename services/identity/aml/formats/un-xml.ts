import type { ListedIdentifier, WatchListEntry } from '../../../../domain/identity/aml/entry';
import { countEntry } from './source';
import type { ListParser } from './source';
import {
  createBlankEntry,
  resolveCountryCode,
  resolveCountryCodes,
  parseGenders,
  splitNames,
  parsePartialDate,
  uniqueNonEmpty,
  normaliseRemark,
} from './values';
import { getChildren, getText, getTexts, readXmlElements } from './xml';
import type { XmlNode } from './xml';

const formatAddress = (address: XmlNode): string =>
  uniqueNonEmpty(
    ['STREET', 'CITY', 'STATE_PROVINCE', 'ZIP_CODE', 'COUNTRY'].map((part) => getText(address, part)),
  ).join(', ');

/** Parses a date, a year, or all years of a range. */
function parseDates(node: XmlNode): string[] {
  const about = /APPROX/i.test(getText(node, 'TYPE_OF_DATE')) ? 'circa ' : '';
  const [from, to] = [Number(getText(node, 'FROM_YEAR')), Number(getText(node, 'TO_YEAR'))];
  if (from > 0 && to >= from && to - from < 30) {
    return Array.from({ length: to - from + 1 }, (_, at) => String(from + at));
  }
  return uniqueNonEmpty([parsePartialDate(about + (getText(node, 'DATE') || getText(node, 'YEAR')))]);
}

const parseIdentifier = (document: XmlNode): ListedIdentifier => ({
  type: getText(document, 'TYPE_OF_DOCUMENT') || getText(document, 'TYPE_OF_DOCUMENT2') || 'Document',
  value: getText(document, 'NUMBER'),
  country: resolveCountryCode(getText(document, 'ISSUING_COUNTRY') || getText(document, 'COUNTRY_OF_ISSUE')),
});

/** Joins the parts of a name; the United Nations write `na` for an absent part. */
const joinNames = (parts: readonly string[]): string => parts.filter((part) => part !== '' && part !== 'na').join(' ');

function parseEntry(node: XmlNode, kind: 'INDIVIDUAL' | 'ENTITY'): WatchListEntry {
  const addresses = getChildren(node, `${kind}_ADDRESS`);
  const original = getText(node, 'NAME_ORIGINAL_SCRIPT');
  const names = ['FIRST_NAME', 'SECOND_NAME', 'THIRD_NAME', 'FOURTH_NAME'].map((part) => getText(node, part));
  const aliases = getChildren(node, `${kind}_ALIAS`).map((alias) => ({
    name: getText(alias, 'ALIAS_NAME'),
    weak: getText(alias, 'QUALITY').toLowerCase() === 'low',
  }));
  return {
    ...createBlankEntry(getText(node, 'DATAID'), joinNames(names)),
    type: kind === 'INDIVIDUAL' ? 'person' : 'company',
    aliases: [...aliases, { name: original, weak: false }].flatMap(({ name, weak }) =>
      splitNames(name).map((each) => ({ name: each, weak })),
    ),
    datesOfBirth: uniqueNonEmpty(getChildren(node, 'INDIVIDUAL_DATE_OF_BIRTH').flatMap(parseDates)),
    countries: resolveCountryCodes([
      ...getTexts(node, 'NATIONALITY', 'VALUE'),
      ...addresses.map((address) => getText(address, 'COUNTRY')),
    ]),
    genders: parseGenders([getText(node, 'GENDER')]),
    identifiers: getChildren(node, 'INDIVIDUAL_DOCUMENT')
      .map(parseIdentifier)
      .filter(({ value }) => value !== ''),
    programs: uniqueNonEmpty([getText(node, 'UN_LIST_TYPE')]),
    positions: uniqueNonEmpty([...getTexts(node, 'DESIGNATION', 'VALUE'), ...getTexts(node, 'TITLE', 'VALUE')]),
    addresses: uniqueNonEmpty(addresses.map(formatAddress)),
    remarks: normaliseRemark(getText(node, 'COMMENTS1')),
    listedOn: parsePartialDate(getText(node, 'LISTED_ON')),
  };
}

/** Consolidated list of the United Nations Security Council. */
export const parseUnXml: ListParser = async function* (source, counts) {
  for await (const node of readXmlElements(source.open(), ['INDIVIDUAL', 'ENTITY'])) {
    const kind = node.name === 'INDIVIDUAL' ? 'INDIVIDUAL' : 'ENTITY';
    const entry = parseEntry(node, kind);
    if (countEntry(counts, entry)) yield entry;
  }
};
