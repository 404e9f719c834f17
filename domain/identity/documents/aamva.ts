import { isRealDate } from './mrz/dates';
import { findAamvaIssuer } from './aamva-issuers';

/** The holder and the card according to the barcode of a North American licence or identity card. */
export interface AamvaFields {
  documentNumber: string | null;
  lastName: string | null;
  /** All given names, separated by spaces. */
  firstName: string | null;
  suffix: string | null;
  /** YYYY-MM-DD. */
  dateOfBirth: string | null;
  expiryDate: string | null;
  issueDate: string | null;
  sex: 'F' | 'M' | 'X' | null;
  street: string | null;
  city: string | null;
  /** Postal abbreviation of the state or province. */
  region: string | null;
  postalCode: string | null;
  /** ISO 3166-1 alpha-3. */
  country: 'USA' | 'CAN' | 'MEX' | null;
  vehicleClass: string | null;
  /** Document discriminator: the number of the physical card. */
  discriminator: string | null;
}

export interface AamvaData {
  documentType: 'driving_licence' | 'identity_card';
  /** Issuer identification number. */
  issuerId: string;
  /** Postal abbreviation of the issuing state or province; null for an issuer that is not assigned. */
  jurisdiction: string | null;
  /** Version of the AAMVA standard, from 1. */
  version: number;
  fields: AamvaFields;
  /** Mandatory elements that are missing or impossible on this card, by name. */
  faults: (keyof AamvaFields)[];
}

// Compliance indicator, separators, "ANSI " (some cards of the first generation have AAMVA), IIN, version, from version
// 2 the jurisdiction's version, then the number of subfiles. Annex D of the AAMVA DL/ID Card Design Standard.
const HEADER = /^@[^A-Z]{1,4}(?:ANSI |AAMVA)(\d{6})(\d{2})(\d{2})?(\d{2})(?=[A-Z]{2}\d{8})/;

const ELEMENT = /^([DZ][A-Z]{2})(.*)$/;

/** Placeholders for values that a jurisdiction does not record. */
const EMPTY = /^(none|unavl|unavail|unknown|n\/?a)?$/i;

type Elements = ReadonlyMap<string, string>;

/** Splits a subfile into its elements; the first occurrence of each counts. */
function parseElements(subfile: string): Elements {
  const elements = new Map<string, string>();
  for (const line of subfile.split(/[\n\r]/)) {
    const [, id, value = ''] = ELEMENT.exec(line.trim()) ?? [];
    if (id !== undefined && !elements.has(id) && !EMPTY.test(value.trim())) elements.set(id, value.trim());
  }
  return elements;
}

/**
 * MMDDCCYY as in the United States, or CCYYMMDD as in Canada and in the first version. No date can be both: a month is
 * never 13 or more and a century never 12 or less, so cards that use the other order are read too.
 */
function parseDate(text: string | undefined): string | null {
  const digits = text?.replace(/\D/g, '') ?? '';
  if (digits.length !== 8) return null;
  const yearFirst = Number(digits.slice(0, 2)) > 12;
  const [year, month, day] = yearFirst
    ? [digits.slice(0, 4), digits.slice(4, 6), digits.slice(6)]
    : [digits.slice(4), digits.slice(0, 2), digits.slice(2, 4)];
  return isRealDate(Number(year), Number(month), Number(day)) ? `${year}-${month}-${day}` : null;
}

const SEX: Record<string, AamvaFields['sex']> = { '1': 'M', M: 'M', '2': 'F', F: 'F', '9': 'X', X: 'X' };

const joinWords = (...parts: (string | undefined)[]): string | null =>
  parts
    .filter((part) => part !== undefined)
    .join(' ')
    .split(/[\s,$@]+/)
    .filter((word) => word !== '')
    .join(' ') || null;

/** Family and given names, which each version of the standard keeps in different elements. */
function readNames(elements: Elements): Pick<AamvaFields, 'lastName' | 'firstName'> {
  const [whole = '', ...givenNames] = (elements.get('DAA') ?? '').split(/[,$@]/);
  const family = elements.get('DCS') ?? elements.get('DAB');
  // DCT: all given names in versions 2 and 3; DAC and DAD: first and middle names in version 1 and from version 4.
  const first = elements.get('DCT') ?? joinWords(elements.get('DAC'), elements.get('DAD'));
  return { lastName: joinWords(family ?? whole), firstName: joinWords(first ?? givenNames.join(' ')) };
}

/**
 * Nine digits are formatted with a hyphen, and Canadian codes in two halves; four unused digits are zeros or blanks.
 */
function formatPostalCode(text: string | undefined): string | null {
  const code = text?.replace(/[^A-Z0-9]/gi, '').toUpperCase() ?? '';
  if (/^\d{9}$/.test(code)) return code.endsWith('0000') ? code.slice(0, 5) : `${code.slice(0, 5)}-${code.slice(5)}`;
  if (/^[A-Z]\d[A-Z]\d[A-Z]\d/.test(code)) return `${code.slice(0, 3)} ${code.slice(3, 6)}`;
  return code === '' ? null : code;
}

function readFields(elements: Elements, issuerId: string): AamvaFields {
  const country = elements.get('DCG');
  const knownCountry = country === 'USA' || country === 'CAN' || country === 'MEX' ? country : null;
  return {
    documentNumber: elements.get('DAQ')?.replace(/\s/g, '').toUpperCase() ?? null,
    ...readNames(elements),
    suffix: elements.get('DCU') ?? elements.get('DAE') ?? null,
    dateOfBirth: parseDate(elements.get('DBB')),
    expiryDate: parseDate(elements.get('DBA')),
    issueDate: parseDate(elements.get('DBD')),
    sex: SEX[elements.get('DBC')?.toUpperCase() ?? ''] ?? null,
    street: joinWords(elements.get('DAG') ?? elements.get('DAL'), elements.get('DAH') ?? elements.get('DAM')),
    city: elements.get('DAI') ?? elements.get('DAN') ?? null,
    region: elements.get('DAJ') ?? elements.get('DAO') ?? null,
    postalCode: formatPostalCode(elements.get('DAK') ?? elements.get('DAP')),
    country: knownCountry ?? findAamvaIssuer(issuerId)?.country ?? null,
    vehicleClass: elements.get('DCA') ?? elements.get('DAR') ?? null,
    discriminator: elements.get('DCF') ?? null,
  };
}

/** Mandatory in every version of the standard, and used to compare a card. */
const MANDATORY: readonly (keyof AamvaFields)[] = [
  'documentNumber',
  'lastName',
  'dateOfBirth',
  'expiryDate',
  'issueDate',
  'sex',
];

function findFaults(fields: AamvaFields, issuerId: string): AamvaData['faults'] {
  const faults = MANDATORY.filter((name) => fields[name] === null);
  const { dateOfBirth, issueDate, expiryDate } = fields;
  if (dateOfBirth !== null && issueDate !== null && dateOfBirth >= issueDate) faults.push('issueDate');
  if (issueDate !== null && expiryDate !== null && issueDate > expiryDate) faults.push('expiryDate');
  if (findAamvaIssuer(issuerId) === null) faults.push('country');
  return faults;
}

/**
 * Parses the text of a PDF417 barcode by the AAMVA DL/ID Card Design Standard, versions 1 to 10, and later ones that
 * keep their elements. Offsets of the header are ignored, because many printers get them wrong and elements are
 * self-describing.
 *
 * @returns null for other text
 */
export function parseAamva(text: string): AamvaData | null {
  const header = HEADER.exec(text.trimStart());
  if (header === null) return null;
  const [prefix, issuerId = '', version = ''] = header;
  const rest = text.trimStart().slice(prefix.length);
  const [designators = ''] = /^(?:[A-Z]{2}\d{8})+/.exec(rest) ?? [];
  const [designator] = /DL|ID|EN/.exec(designators) ?? [];
  if (designator === undefined) return null;
  // The subfile repeats its type directly before its first element.
  const elements = parseElements(rest.slice(designators.length).replace(/^\s*(DL|ID|EN)/, ''));
  const fields = readFields(elements, issuerId);
  return {
    documentType: designator === 'ID' ? 'identity_card' : 'driving_licence',
    issuerId,
    jurisdiction: findAamvaIssuer(issuerId)?.jurisdiction ?? null,
    version: Number(version),
    fields,
    faults: findFaults(fields, issuerId),
  };
}
