/**
 * Words by which driving licences name their state, in its language or English, without diacritics: the state itself,
 * its authority, or a title used by that state only. Licences have no machine-readable zone.
 */
const ISSUERS: readonly (readonly [state: string, RegExp])[] = [
  ['GBR', /UNITED KINGDOM|\bDVLA\b|\bDVA\b|NORTHERN IRELAND|TRWYDDED YRRU|\bUK\b/],
  ['IRL', /CEADUNAS TIOMANA|\bEIRE\b|\bIRELAND\b/],
  ['DEU', /BUNDESREPUBLIK DEUTSCHLAND|\bDEUTSCHLAND\b/],
  ['AUT', /REPUBLIK OSTERREICH|\bOSTERREICH\b|\bAUSTRIA\b/],
  ['CHE', /\bSCHWEIZ|\bSUISSE\b|\bSVIZZERA\b|CONFOEDERATIO|SWISS CONFEDERATION/],
  ['LIE', /\bLIECHTENSTEIN\b/],
  ['LUX', /\bLUXEMBOURG\b|\bLETZEBUERG\b/],
  ['BEL', /\bBELGIQUE\b|\bBELGIE\b|\bBELGIEN\b|\bBELGIUM\b/],
  ['FRA', /REPUBLIQUE FRANCAISE|\bFRANCE\b/],
  ['ITA', /REPUBBLICA ITALIANA|\bITALIA\b|PATENTE DI GUIDA/],
  ['ESP', /REINO DE ESPANA|\bESPANA\b|PERMISO DE CONDUCCION/],
  ['PRT', /REPUBLICA PORTUGUESA|\bPORTUGAL\b|CARTA DE CONDUCAO/],
  ['NLD', /KONINKRIJK DER NEDERLANDEN|\bNEDERLAND\b|\bNETHERLANDS\b/],
  ['POL', /RZECZPOSPOLITA POLSKA|\bPOLSKA\b|PRAWO JAZDY/],
  ['CZE', /CESKA REPUBLIKA|RIDICSKY PRUKAZ/],
  ['SVK', /SLOVENSKA REPUBLIKA|VODICSKY PREUKAZ/],
  ['SVN', /REPUBLIKA SLOVENIJA|VOZNISKO DOVOLJENJE/],
  ['HRV', /REPUBLIKA HRVATSKA|VOZACKA DOZVOLA/],
  ['HUN', /MAGYARORSZAG|VEZETOI ENGEDELY/],
  ['ROU', /\bROMANIA\b|PERMIS DE CONDUCERE/],
  ['BGR', /\bBULGARIA\b|БЪЛГАРИЯ/],
  ['GRC', /\bHELLAS\b|ΕΛΛΑΔΑ|ΕΛΛΗΝΙΚΗ|\bGREECE\b/],
  ['CYP', /ΚΥΠΡΟΣ|\bCYPRUS\b/],
  ['MLT', /\bMALTA\b|LICENZJA TAS-SEWQAN/],
  ['DNK', /\bDANMARK\b|\bDENMARK\b/],
  ['SWE', /\bSVERIGE\b|\bSWEDEN\b|\bKORKORT\b/],
  ['NOR', /\bNORGE\b|\bNOREG\b|\bNORWAY\b|\bFORERKORT\b/],
  ['FIN', /\bSUOMI\b|\bFINLAND\b|\bAJOKORTTI\b/],
  ['EST', /\bEESTI\b|\bJUHILUBA\b/],
  ['LVA', /\bLATVIJA\b|VADITAJA APLIECIBA/],
  ['LTU', /LIETUVOS RESPUBLIKA|VAIRUOTOJO PAZYMEJIMAS/],
  ['ISL', /\bISLAND\b.*OKUSKIRTEINI|OKUSKIRTEINI/],
  ['TUR', /TURKIYE CUMHURIYETI|SURUCU BELGESI/],
  ['UKR', /\bUKRAINE\b|УКРАЇНА/],
  ['AUS', /\bAUSTRALIA\b|NEW SOUTH WALES|\bQUEENSLAND\b|\bVICROADS\b/],
  ['NZL', /NEW ZEALAND|AOTEAROA/],
  ['IND', /INDIAN UNION|\bINDIA\b/],
  ['ZAF', /SOUTH AFRICA/],
];

/** Titles of licences in languages that few states use, for licences whose state is read as its letter only. */
const TITLES: readonly (readonly [state: string, RegExp])[] = [
  ['DEU', /\bFUHRERSCHEIN\b/],
  ['NLD', /\bRIJBEWIJS\b/],
  ['FRA', /PERMIS DE CONDUIRE/],
  ['DNK', /\bKOREKORT\b/],
  ['GRC', /ΑΔΕΙΑ ΟΔΗΓΗΣΗΣ/],
];

const SPECIAL_LETTERS: Record<string, string> = { Ø: 'O', Ł: 'L', Đ: 'D', Æ: 'AE', ẞ: 'SS', ß: 'SS' };

const stripMarks = (text: string): string =>
  [...text.toUpperCase()]
    .map((letter) => SPECIAL_LETTERS[letter] ?? letter)
    .join('')
    .normalize('NFD')
    .replace(/(?<=[A-ZΑ-Ω])\p{M}+/gu, '')
    .normalize('NFC');

/**
 * The state that issued a driving licence, by what it prints about itself; null if it prints nothing of the kind.
 * Lines of addresses and places of birth (captions 3 and 8) name other states and are not searched.
 *
 * @returns ISO 3166-1 alpha-3
 */
export function findLicenceState(lines: readonly string[]): string | null {
  const searched = lines.map(stripMarks).filter((line) => !/^[38]\s*[.:]/.test(line));
  const find = (table: typeof ISSUERS): string | null =>
    table.find(([, pattern]) => searched.some((line) => pattern.test(line)))?.[0] ?? null;
  return find(ISSUERS) ?? find(TITLES);
}
