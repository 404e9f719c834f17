import { listJurisdictions } from '../aamva-issuers';

/** The line of an address with postal code and town. */
export interface Locality {
  /** Null if the town is on the line above its code. */
  city: string | null;
  region: string | null;
  postalCode: string;
  /** ISO 3166-1 alpha-3; null if several countries use codes of this form. */
  country: string | null;
}

/** Country names as letters print them, in English and in their own language. */
const COUNTRIES: readonly (readonly [string, RegExp])[] = [
  ['DEU', /germany|deutschland|allemagne|alemania|germania/i],
  ['AUT', /austria|österreich/i],
  ['CHE', /switzerland|schweiz|suisse|svizzera/i],
  ['FRA', /france|francia|frankreich/i],
  ['ESP', /spain|españa|espagne|spanien/i],
  ['ITA', /italy|italia|italie|italien/i],
  ['PRT', /portugal/i],
  ['NLD', /netherlands|nederland|holland/i],
  ['BEL', /belgium|belgique|belgië/i],
  ['LUX', /luxembourg|luxemburg/i],
  ['POL', /poland|polska/i],
  ['CZE', /czech(ia| republic)|česko|česká republika/i],
  ['SWE', /sweden|sverige/i],
  ['NOR', /norway|norge/i],
  ['DNK', /denmark|danmark/i],
  ['FIN', /finland|suomi/i],
  ['IRL', /ireland|éire/i],
  ['GBR', /united kingdom|great britain|england|scotland|wales|\buk\b/i],
  ['USA', /united states|\busa\b|\bu\.s\.a\./i],
  ['CAN', /canada/i],
  ['AUS', /australia/i],
  ['NZL', /new zealand/i],
  ['MEX', /m[ée]xico/i],
  ['BRA', /bra[sz]il/i],
  ['IND', /\bindia\b/i],
  ['GRC', /greece|ελλάδα|ελλάς/i],
  ['RUS', /russia|россия/i],
  ['UKR', /ukraine|україна/i],
  ['SAU', /المملكة العربية السعودية|السعودية/],
  ['EGY', /جمهورية مصر العربية|مصر/],
  ['JOR', /الأردن/],
  ['KWT', /الكويت/],
  ['QAT', /قطر/],
  ['ARE', /الإمارات(?: العربية المتحدة)?/],
  ['MAR', /المغرب/],
  ['ISR', /ישראל/],
  ['IND', /भारत/],
  ['THA', /ประเทศไทย/],
];

/** The country named by a whole line or at its end. */
export function findNamedCountry(text: string): string | null {
  const line = text.replace(/[.,\s]+$/, '');
  const found = COUNTRIES.find(([, pattern]) => new RegExp(`(?:^|[,\\s(])(?:${pattern.source})\\)?$`, 'i').test(line));
  return found?.[0] ?? null;
}

/** The line without a country at its end. */
export function stripCountry(text: string): string {
  const found = COUNTRIES.find(([code]) => code === findNamedCountry(text));
  const cut =
    found === undefined ? text : text.replace(new RegExp(`[,\\s(]*(?:${found[1].source})[).,\\s]*$`, 'i'), '');
  return cut.trim();
}

const STATES = listJurisdictions('USA').join('|');
const PROVINCES = listJurisdictions('CAN').join('|');
/** Country prefixes of international mail before the code. */
const PREFIXES: Record<string, string> = {
  D: 'DEU',
  DE: 'DEU',
  F: 'FRA',
  FR: 'FRA',
  E: 'ESP',
  ES: 'ESP',
  I: 'ITA',
  IT: 'ITA',
  A: 'AUT',
  AT: 'AUT',
  CH: 'CHE',
  B: 'BEL',
  BE: 'BEL',
  L: 'LUX',
  LU: 'LUX',
  DK: 'DNK',
  N: 'NOR',
  NO: 'NOR',
  FI: 'FIN',
  FIN: 'FIN',
  S: 'SWE',
  SE: 'SWE',
  PL: 'POL',
  PT: 'PRT',
  NL: 'NLD',
  CZ: 'CZE',
};
const PREFIX = `(?:(?<prefix>${Object.keys(PREFIXES).join('|')})[- ]\\s?)?`;

/** Forms of the line with code and town, with the country if only one uses the form. */
const FORMS: readonly (readonly [country: string | null, RegExp])[] = [
  [
    'USA',
    new RegExp(`^(?<city>\\p{L}[\\p{L} .'’-]+?),?\\s+(?<region>${STATES})\\.?,?\\s+(?<code>\\d{5}(?:-\\d{4})?)$`, 'u'),
  ],
  [
    'CAN',
    new RegExp(
      `^(?<city>\\p{L}[\\p{L} .'’-]+?),?\\s+\\(?(?<region>${PROVINCES})\\)?,?\\s+(?<code>[A-Z]\\d[A-Z] ?\\d[A-Z]\\d)$`,
      'u',
    ),
  ],
  ['AUS', /^(?<city>\p{L}[\p{L} .'’-]+?),?\s+(?<region>NSW|VIC|QLD|WA|SA|TAS|ACT|NT)\s+(?<code>\d{4})$/u],
  ['GBR', /^(?:(?<city>\p{L}[\p{L} .'’-]+?),?\s+)?(?<code>[A-Z]{1,2}\d[A-Z\d]? ?\d[A-Z]{2})$/u],
  ['IRL', /^(?:(?<city>\p{L}[\p{L} .'’\d-]+?),?\s+)?(?<code>[AC-FHKNPRTV-Y]\d[\dW] ?[AC-FHKNPRTV-Y\d]{4})$/u],
  ['NLD', /^(?:NL[- ])?(?<code>[1-9]\d{3} ?[A-Z]{2})\s+(?<city>\p{L}[\p{L} .'’-]+)$/u],
  ['POL', /^(?:PL[- ])?(?<code>\d{2}-\d{3})\s+(?<city>\p{L}[\p{L} .'’-]+)$/u],
  ['PRT', /^(?:PT?[- ])?(?<code>\d{4}-\d{3})\s+(?<city>\p{L}[\p{L} .'’-]+)$/u],
  ['BRA', /^(?<code>\d{5}-\d{3}),?\s+(?<city>\p{L}[\p{L} .'’]+?)(?:\s?[-/]\s?(?<region>[A-Z]{2}))?$/u],
  ['BRA', /^(?<city>\p{L}[\p{L} .'’]+?)\s?[-/]\s?(?<region>[A-Z]{2}),?\s+(?<code>\d{5}-\d{3})$/u],
  ['ITA', /^(?:IT?[- ])?(?<code>\d{5})\s+(?<city>\p{L}[\p{L} .'’-]+?)\s+\(?(?<region>[A-Z]{2})\)?$/u],
  ['RUS', /^(?:(?<city>(?:г\.?\s*)?\p{Script=Cyrillic}[\p{Script=Cyrillic} .-]+?),?\s+)?(?<code>\d{6})$/u],
  ['RUS', /^(?<code>\d{6}),?\s+(?<city>(?:г\.?\s*)?\p{Script=Cyrillic}[\p{Script=Cyrillic} .-]+)$/u],
  ['ISR', /^(?<city>\p{Script=Hebrew}[\p{Script=Hebrew} .'"״׳-]+?),?\s+(?<code>\d{7}|\d{5})$/u],
  ['ISR', /^(?<code>\d{7}|\d{5}),?\s+(?<city>\p{Script=Hebrew}[\p{Script=Hebrew} .'"״׳-]+)$/u],
  ['IND', /^(?<city>[\p{Script=Devanagari} .,-]+?)\s*[-–,:]?\s*(?<code>\d{3} ?\d{3})$/u],
  ['THA', /^(?:จังหวัด|จ\.)?\s*(?<city>\p{Script=Thai}[\p{Script=Thai} .]+?)\s*(?<code>\d{5})$/u],
  [null, /^(?<city>\p{Script=Arabic}[\p{Script=Arabic} .-]+?)،?\s+(?<code>\d{5}(?:-\d{4})?)$/u],
  ['GRC', /^(?:τ\.?κ\.?\s*)?(?<code>\d{3} ?\d{2})\s+(?<city>\p{Script=Greek}[\p{Script=Greek} .-]+)$/iu],
  ['GRC', /^(?<city>\p{Script=Greek}[\p{Script=Greek} .-]+?),?\s+(?:τ\.?κ\.?\s*)?(?<code>\d{3} ?\d{2})$/iu],
  [null, new RegExp(`^${PREFIX}(?<code>\\d{3} \\d{2})\\s+(?<city>\\p{L}[\\p{L} .'’\\d-]+)$`, 'u')],
  [
    null,
    new RegExp(
      `^${PREFIX}(?<code>\\d{4,5})\\s+(?<city>\\p{L}[\\p{L} .'’/-]+?)(?:\\s+CEDEX(?: \\d+)?)?(?:,?\\s+\\(?(?<region>\\p{L}[\\p{L} -]+)\\))?$`,
      'iu',
    ),
  ],
];

/** Several countries use codes of digits only: the language of the letter decides if possible. */
const BY_LANGUAGE: Record<string, Record<number, string>> = {
  de: { 5: 'DEU', 4: 'AUT' },
  es: { 5: 'ESP' },
  fr: { 5: 'FRA', 4: 'BEL' },
  it: { 5: 'ITA' },
  nl: { 4: 'BEL' },
  el: { 5: 'GRC' },
};

/** Codes of two parts are written with a space before the last characters, as many as given here. */
const SECOND_PART: Record<string, number> = { GBR: 3, CAN: 3, NLD: 2, IRL: 4 };

function formatPostalCode(code: string, country: string | null): string {
  const length = SECOND_PART[country ?? ''];
  if (length === undefined || code.includes(' ')) return code;
  return `${code.slice(0, -length)} ${code.slice(-length)}`;
}

/**
 * Parses the line of an address with postal code and town.
 *
 * @param language ISO 639-1 code of the letter
 * @returns null for any other line
 */
export function parseLocality(line: string, language: string | null): Locality | null {
  const namedCountry = findNamedCountry(line);
  const text = stripCountry(line).replace(/[.,]+$/, '');
  for (const [country, form] of FORMS) {
    const groups = form.exec(text)?.groups;
    if (groups === undefined) continue;
    const { city, region, code = '', prefix } = groups;
    const guess = country === null && !code.includes(' ') ? BY_LANGUAGE[language ?? '']?.[code.length] : undefined;
    return {
      city: city?.trim() ?? null,
      region: region ?? null,
      postalCode: formatPostalCode(code, country),
      country: namedCountry ?? country ?? PREFIXES[prefix?.toUpperCase() ?? ''] ?? guess ?? null,
    };
  }
  return null;
}
