import { findNationalCaption } from './national-captions';
import type { DocumentType, FieldName } from './result';

/**
 * Captions of document fields in several languages. The first match determines the field, so that their order matters.
 */
const CAPTIONS: readonly (readonly [FieldName, RegExp])[] = [
  [
    'placeOfBirth',
    /place of birth|lieu de naissance|lugar de nacimiento|geburtsort|luogo di nascita|miejsce urodzenia/i,
  ],
  [
    'dateOfBirth',
    /date of birth|birth ?date|\bdob\b|date de naissance|fecha de nacimiento|geburts(datum|tag)|data di nascita|data urodzenia|n[ée]e? le/i,
  ],
  [
    'expiryDate',
    /expir|valid (until|to)|g[üu]ltig bis|caducidad|vencimiento|scadenza|data wa[żz]no|\bexp\b|v[áa]lid[oa] (hasta|at)/i,
  ],
  [
    'issueDate',
    /date of issue|issue date|issued on|d[ée]livr|fecha de (expedici|emisi)|ausstell|data di rilascio|data wydania|\biss\b/i,
  ],
  ['personalNumber', /personal (no|number)|personal-?nr|n[uú]mero personal|pesel|national id/i],
  [
    'documentNumber',
    /(passport|document|card|licen[cs]e|\bid|permit|visa|control) ?\/?(no|number|nr|n[°ºo])\b|pass(port)?-?(no|nr)|du passeport|de pasaporte|ausweis-?nr|\bdoc(ument)? ?(no|#)/i,
  ],
  ['firstName', /given name|first name|forename|pr[ée]nom|\bnombres?\b|vorname|^nome\b|imi(ę|e|ona)/i],
  ['lastName', /surname|last name|family name|\bnom\b|apellido|\bname\b|nachname|cognome|nazwisko/i],
  ['nationality', /nationalit|nacionalidad|staatsangeh|cittadinanza|obywatelstwo/i],
  ['address', /\baddress\b|adresse|domicil|anschrift|indirizzo|residencia/i],
  ['sex', /\bsex\b|\bsexe\b|\bsexo\b|geschlecht|sesso|p[łl]e[ćc]/i],
];

/** A caption, and the value that follows it in the same line; empty if there is none. */
export interface Caption {
  name: FieldName;
  rest: string;
  /** The number of the field on a licence, where it decides what another one means. */
  number?: '4d' | '5';
}

// Licences number their fields (ISO/IEC 18013-1, annex A; EU directive 2006/126/EC, annex I) and abbreviate captions.
// The number of the holder is 4d in North America, where 5 is the number of the card; elsewhere it is 5, and 4d a
// personal number. 3 has date and place of birth, 4c the authority.
const LICENCE_CAPTIONS: readonly (readonly [FieldName, RegExp])[] = [
  ['documentNumber', /^(?:4d[.:]?\s*)?(?:DLN?|LIC|ID|CUST ?ID)[.:#]?\s*(?:NO|NUMBER|#)?[.:#]?\s*(?=[A-Z0-9 -]*\d)/i],
  ['documentNumber', /^5[.:]\s*(?!DD\b)(?=[A-Z0-9 /-]*\d)|^5[.:]?$/i],
  ['documentNumber', /^4d[.:]\s*(?=[A-Z0-9 /-]*\d)/i],
  ['lastName', /^(?:1[.:]?\s*)?LN[.:]?\s*(?=\p{L}{2})/iu],
  ['firstName', /^(?:2[.:]?\s*)?FN[.:]?\s*(?=\p{L}{2})/iu],
  // Without a point only before capitals up to the end of the line, because streets have numbers, too (1ST AVE).
  ['lastName', /^1[.:]?\s*(?!ST\b)(?=\p{Lu}{2}[\p{Lu} '’-]*$)|^1[.:]\s*(?=\p{L}{2})|^1[.:]?$/u],
  ['firstName', /^2[.:]?\s*(?!ND\b)(?=\p{Lu}{2}[\p{Lu} '’-]*$)|^2[.:]\s*(?=\p{L}{2})|^2[.:]?$/u],
  ['dateOfBirth', /^3[.:]?\s*(?:DOB[.:]?\s*)?(?=\d\d)|^3[.:]?\s*(?:DOB)?[.:]?$/i],
  ['issueDate', /^4a[.:]?\s*(?:ISS[.:]?\s*)?(?=\d\d)|^4a[.:]?$/i],
  ['expiryDate', /^4b[.:]?\s*(?:EXP[.:]?\s*)?(?=\d\d)|^4b[.:]?$/i],
  ['sex', /^(?:15[.:]?\s*)?SEX[.:]?\s*(?=[MFX]\b)/i],
  ['address', /^8[.:]\s*(?=\S{2})/],
];

/** Parses the number or short caption of a field in a line of a driving licence. */
export function parseLicenceCaption(text: string): Caption | null {
  for (const [name, pattern] of LICENCE_CAPTIONS) {
    const match = pattern.exec(text.trim());
    if (match !== null) return { name, rest: text.trim().slice(match[0].length).trim() };
  }
  return null;
}

/** Number of the authority of a licence, of which no field is reported. */
const AUTHORITY = /^4c[.:]?\s*/i;

/** What 4d is: the personal number on a licence that also has a 5, the number of the card, else that of the holder. */
export const resolveLicenceNumber = (caption: Caption, hasCardNumber: boolean): Caption =>
  hasCardNumber && caption.number === '4d' ? { ...caption, name: 'personalNumber' } : caption;

/**
 * The fields that a line of a driving licence states, by their numbers: several where the line has several numbers, and
 * the place of birth after the date.
 */
export function parseLicenceLine(text: string): Caption[] {
  return text
    .trim()
    .split(/\s+(?=4[a-d][.:])|\s+(?=5[.:]\s?\S)/i)
    .filter((part) => !AUTHORITY.test(part))
    .flatMap((part): Caption[] => {
      const caption = parseLicenceCaption(part);
      if (caption === null) return [];
      const number = caption.name === 'documentNumber' ? /^(4d|5)/i.exec(part)?.[1]?.toLowerCase() : undefined;
      if (number === '4d' || number === '5') return [{ ...caption, number }];
      const place = /^3/.test(part) ? /^\d[\d\s./-]{5,}[\s,]+(\p{L}{2}.*)$/u.exec(caption.rest)?.[1] : undefined;
      return place === undefined ? [caption] : [caption, { name: 'placeOfBirth', rest: place }];
    });
}

/** The field of a caption in one of the most frequent languages and its place in the text; null if it has none. */
function findCommonCaption(text: string): { name: FieldName; end: number } | null {
  for (const [name, pattern] of CAPTIONS) {
    const match = pattern.exec(text);
    if (match !== null) return { name, end: match.index + match[0].length };
  }
  return null;
}

/** The field of a printed caption, and the value that follows it in the same line. */
export function parseCaption(text: string): Caption | null {
  const found = findCommonCaption(text) ?? findNationalCaption(text);
  if (found === null) return null;
  const after = text.slice(found.end);
  // Text after a colon, or digits after the caption, is the value; further words are the caption in other languages.
  const colon = after.lastIndexOf(':');
  const rest = colon >= 0 ? after.slice(colon + 1) : /\d/.test(after) ? after.replace(/^[^\p{L}\d]+/u, '') : '';
  return { name: found.name, rest: rest.trim() };
}

const TYPES: readonly (readonly [DocumentType, RegExp])[] = [
  [
    'driving_licence',
    /driv(ing|er)['’]?s? ?licen[cs]e|permis de conduire|f[üu]hrerschein|licencia de conducir|permiso de conducci|patente di guida|prawo jazdy|rijbewijs|carta de condu[cç][aã]o|k[öo]rkort|f[øo]rerkort|k[øo]rekort|ajokortti|vezet[őo]i enged[ée]ly|[řr]idi[čc]sk[ýy] pr[ůu]kaz|vodi[čc]sk[ýy] preukaz|voza[čc]ka dozvola|vozni[šs]ko dovoljenje|permis de conducere|juhiluba|vad[īi]t[āa]ja apliec[īi]ba|vairuotojo pa[žz]ym[ėe]jimas|trwydded yrru|cead[úu]nas tiom[áa]na|άδεια οδήγησης|s[üu]r[üu]c[üu] belgesi/i,
  ],
  [
    'residence_permit',
    /residence permit|resident card|aufenthaltstitel|titre de s[ée]jour|permiso de residencia|permanent resident/i,
  ],
  ['passport', /pass(e?port|aporte|aporto)|reisepass|paszport/i],
  ['visa', /\bvisa\b|\bvisum\b/i],
  [
    'identity_card',
    /identity card|identification card|id ?card|identit[ée]|identidad|personalausweis|carta d.identit|dow[óo]d osobisty|identity/i,
  ],
];

/** The document type by its printed title. */
export function detectPrintedType(text: string): DocumentType | null {
  return TYPES.find(([, pattern]) => pattern.test(text))?.[0] ?? null;
}

/**
 * The document type of a zone's document code (ICAO Doc 9303-3 and -7; residence permits as coded by the EU and the
 * USA).
 */
export function getDocumentTypeByCode(code: string, issuingState: string | null): DocumentType | null {
  if (code.startsWith('P')) return 'passport';
  if (code.startsWith('V')) return 'visa';
  if (['IR', 'AR', 'CR', 'RP'].includes(code)) return 'residence_permit';
  if (issuingState === 'USA' && /^C[12]$/.test(code)) return 'residence_permit';
  return /^[IAC]/.test(code) ? 'identity_card' : null;
}
