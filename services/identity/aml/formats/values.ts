import countries from 'i18n-iso-countries/index';
import englishNames from 'i18n-iso-countries/langs/en.json';
import { parseCountryCode } from '../../../../domain/identity/countries';
import type { Gender, WatchListEntry } from '../../../../domain/identity/aml/entry';

/** Country names used by publishers that the ISO table does not contain. */
const OTHER_COUNTRY_NAMES: Readonly<Record<string, string>> = {
  'korea north': 'KP',
  'north korea': 'KP',
  'korea south': 'KR',
  'south korea': 'KR',
  iran: 'IR',
  syria: 'SY',
  russia: 'RU',
  venezuela: 'VE',
  bolivia: 'BO',
  tanzania: 'TZ',
  moldova: 'MD',
  burma: 'MM',
  'congo democratic republic of the': 'CD',
  'congo republic of the': 'CG',
  'the gambia': 'GM',
  'united kingdom': 'GB',
  uk: 'GB',
  usa: 'US',
  'united states': 'US',
  palestinian: 'PS',
  palestine: 'PS',
  'west bank': 'PS',
  gaza: 'PS',
  kosovo: 'XK',
  laos: 'LA',
  vietnam: 'VN',
  macau: 'MO',
  'hong kong': 'HK',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  'cabo verde': 'CV',
  'bosnia and herzegovina': 'BA',
  'viet nam': 'VN',
  taiwan: 'TW',
  'united arab emirates': 'AE',
  uae: 'AE',
};

const normaliseCountryName = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/\(.*?\)/g, ' ')
    .replace(/[^a-z]+/g, ' ')
    .trim();

const CODES_BY_COUNTRY_NAME: ReadonlyMap<string, string> = (() => {
  // Only the index of the package is loaded: its main file reads the names in 80 languages.
  countries.registerLocale(englishNames);
  const byName = new Map<string, string>();
  for (const [code, names] of Object.entries(countries.getNames('en', { select: 'all' }))) {
    for (const name of Array.isArray(names) ? names : [names]) byName.set(normaliseCountryName(String(name)), code);
  }
  for (const [name, code] of Object.entries(OTHER_COUNTRY_NAMES)) byName.set(name, code);
  return byName;
})();

/** Resolves a country code or an English country name to ISO 3166-1 alpha-2; null for any other text. */
export function resolveCountryCode(text: string): string | null {
  const trimmed = text.trim();
  // Three letters in lower case are not a code but a name or an abbreviation, such as `uae`.
  const code = /^(?:[A-Za-z]{2}|[A-Z]{3})$/.test(trimmed) ? parseCountryCode(trimmed) : undefined;
  return code ?? CODES_BY_COUNTRY_NAME.get(normaliseCountryName(trimmed)) ?? null;
}

/** The ISO codes of country names, each once; unknown names are left out. */
export const resolveCountryCodes = (names: readonly string[]): string[] => [
  ...new Set(names.map(resolveCountryCode).filter((code) => code !== null)),
];

const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');
const padTwoDigits = (value: number): string => String(value).padStart(2, '0');

/**
 * Parses a date as written in lists: `1960-08-31`, `31 Aug 1960`, `31/08/1960`, `Aug 1960`, `circa 1960`, `dd/mm/1960`.
 * @returns YYYY, YYYY-MM or YYYY-MM-DD, prefixed with `~` if approximate; null for any other text
 */
export function parsePartialDate(text: string): string | null {
  const approximate = /circa|approx|about|^c\.|~/i.test(text) ? '~' : '';
  const iso = /(\d{4})-(\d{2})(?:-(\d{2}))?/.exec(text);
  if (iso !== null) return approximate + iso[0].replace(/-00/g, '');
  const slashed = /(\d{1,2}|dd|00)[/.](\d{1,2}|mm|00)[/.](\d{4})/i.exec(text);
  if (slashed !== null) {
    const [, day = '', month = '', year = ''] = slashed;
    const isKnown = (part: string): boolean => Number(part) > 0;
    if (!isKnown(month)) return approximate + year;
    return `${approximate}${year}-${padTwoDigits(Number(month))}${isKnown(day) ? `-${padTwoDigits(Number(day))}` : ''}`;
  }
  const worded = /(?:(\d{1,2})\s+)?([A-Za-z]{3})[a-z]*\.?\s+(\d{4})/.exec(text);
  const month = MONTHS.indexOf(worded?.[2]?.toLowerCase() ?? '-') + 1;
  if (worded !== null && month > 0) {
    return `${approximate}${worded[3]}-${padTwoDigits(month)}${worded[1] === undefined ? '' : `-${padTwoDigits(Number(worded[1]))}`}`;
  }
  const year = /\b(1[89]\d{2}|20\d{2})\b/.exec(text);
  return year === null ? null : approximate + (year[1] ?? '');
}

/** The gender that a text begins with; null for any other. */
export function parseGender(text: string | undefined): Gender | null {
  if (text === undefined) return null;
  if (/^\s*(?:m|male)\b/i.test(text)) return 'male';
  return /^\s*(?:f|female)\b/i.test(text) ? 'female' : null;
}

/** The genders of several texts; others are left out. */
export const parseGenders = (texts: readonly string[]): Gender[] =>
  texts.map(parseGender).filter((gender) => gender !== null);

/** Converts `SMITH, John` to spoken order. */
export function toSpokenOrder(name: string): string {
  const [family, given, ...more] = name.split(',').map((part) => part.trim());
  return more.length > 0 || given === undefined || given === '' ? name.trim() : `${given} ${family ?? ''}`.trim();
}

/** The trimmed texts, each once, without empty ones. */
export const uniqueNonEmpty = (values: readonly (string | null | undefined)[]): string[] => [
  ...new Set(values.map((value) => value?.trim() ?? '').filter((value) => value !== '')),
];

const isLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text);
const isNonLatin = (text: string): boolean => /[^\P{L}\p{Script=Latin}]/u.test(text);

/** Splits a field that states a name in two scripts, such as `Ali Saleh (علي صالح)`. */
export function splitNames(text: string): string[] {
  const normalised = text.replace(/\s+/g, ' ').trim();
  const parts = uniqueNonEmpty([
    normalised.replace(/\([^()]*\)/g, ' ').replace(/\s+/g, ' '),
    ...(/\(([^()]*)\)/.exec(normalised)?.slice(1) ?? []),
  ]);
  const inOneScript = parts.every((part) => isLatin(part) !== isNonLatin(part));
  return inOneScript && parts.some(isLatin) && parts.some(isNonLatin) ? parts : uniqueNonEmpty([normalised]);
}

/** An entry with no facts except its name. */
export const createBlankEntry = (id: string, caption: string): WatchListEntry => ({
  id,
  type: 'unknown',
  caption: caption.trim(),
  aliases: [],
  datesOfBirth: [],
  countries: [],
  genders: [],
  identifiers: [],
  programs: [],
  positions: [],
  addresses: [],
  remarks: null,
  sourceUrl: null,
  listedOn: null,
});

/** Maximum length of a stored remark, in characters. */
const MAX_REMARK_LENGTH = 2000;

/** A remark on one line, of limited length; null if it is empty. */
export const normaliseRemark = (text: string): string | null => {
  const trimmed = text.replace(/\s+/g, ' ').trim();
  return trimmed === '' ? null : trimmed.slice(0, MAX_REMARK_LENGTH);
};
