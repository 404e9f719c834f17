/** A jurisdiction that issues driving licences and identity cards by the AAMVA Card Design Standard. */
export interface AamvaIssuer {
  /** Two letters as used by the postal services; three for Mexican states. */
  jurisdiction: string;
  name: string;
  /** ISO 3166-1 alpha-3. */
  country: 'USA' | 'CAN' | 'MEX';
}

/** Issuer identification numbers (IIN), as AAMVA assigns them: number, code, name. */
const UNITED_STATES = `636033 AL Alabama,636059 AK Alaska,604427 AS American Samoa,636026 AZ Arizona,636021 AR Arkansas,
636014 CA California,636020 CO Colorado,636006 CT Connecticut,636011 DE Delaware,636043 DC District of Columbia,
636010 FL Florida,636055 GA Georgia,636019 GU Guam,636047 HI Hawaii,636050 ID Idaho,636035 IL Illinois,636037 IN Indiana,
636018 IA Iowa,636022 KS Kansas,636046 KY Kentucky,636007 LA Louisiana,636041 ME Maine,636003 MD Maryland,
636002 MA Massachusetts,636032 MI Michigan,636038 MN Minnesota,636051 MS Mississippi,636030 MO Missouri,636008 MT Montana,
636054 NE Nebraska,636049 NV Nevada,636039 NH New Hampshire,636036 NJ New Jersey,636009 NM New Mexico,636001 NY New York,
636004 NC North Carolina,636034 ND North Dakota,604430 MP Northern Mariana Islands,636023 OH Ohio,636058 OK Oklahoma,
636029 OR Oregon,636025 PA Pennsylvania,604431 PR Puerto Rico,636052 RI Rhode Island,636005 SC South Carolina,
636042 SD South Dakota,636027 US State Department,636053 TN Tennessee,636015 TX Texas,636062 VI Virgin Islands,636040 UT Utah,
636024 VT Vermont,636000 VA Virginia,636045 WA Washington,636061 WV West Virginia,636031 WI Wisconsin,636060 WY Wyoming`;

const CANADA = `604432 AB Alberta,636028 BC British Columbia,636048 MB Manitoba,636017 NB New Brunswick,
636016 NL Newfoundland and Labrador,604434 NT Northwest Territories,636013 NS Nova Scotia,604433 NU Nunavut,636012 ON Ontario,
604426 PE Prince Edward Island,604428 QC Quebec,636044 SK Saskatchewan,604429 YT Yukon`;

const MEXICO = '636056 COA Coahuila,636057 HID Hidalgo';

const parseIssuers = (list: string, country: AamvaIssuer['country']): [string, AamvaIssuer][] =>
  list.split(',').map((entry) => {
    const [iin = '', jurisdiction = '', ...name] = entry.trim().split(' ');
    return [iin, { jurisdiction, name: name.join(' '), country }];
  });

const ISSUERS: ReadonlyMap<string, AamvaIssuer> = new Map([
  ...parseIssuers(UNITED_STATES, 'USA'),
  ...parseIssuers(CANADA, 'CAN'),
  ...parseIssuers(MEXICO, 'MEX'),
]);

/** The issuer of an issuer identification number; null for a number that is not assigned. */
export const findAamvaIssuer = (iin: string): AamvaIssuer | null => ISSUERS.get(iin) ?? null;

const toPattern = (name: string): string => name.replace(/ /g, '\\s*');

const NAMES: readonly [RegExp, AamvaIssuer][] = [...ISSUERS.values()]
  .filter(({ jurisdiction }) => jurisdiction !== 'US')
  // Longest names first, so that "West Virginia" is not found as "Virginia".
  .sort((a, b) => b.name.length - a.name.length)
  .map((issuer) => [new RegExp(`(?<!\\p{L})${toPattern(issuer.name)}(?!\\p{L})`, 'iu'), issuer]);

/** The jurisdiction that the print of a card names; null without one. */
export const findIssuerInText = (print: string): AamvaIssuer | null =>
  NAMES.find(([pattern]) => pattern.test(print))?.[1] ?? null;

/** Whether the states or provinces of a country number their own licences and identity cards by AAMVA. */
export const isAamvaCountry = (country: string): country is AamvaIssuer['country'] =>
  country === 'USA' || country === 'CAN' || country === 'MEX';

/** Postal abbreviations of a country's states or provinces. */
export const listJurisdictions = (country: AamvaIssuer['country']): string[] =>
  [...ISSUERS.values()].filter((issuer) => issuer.country === country).map(({ jurisdiction }) => jurisdiction);
