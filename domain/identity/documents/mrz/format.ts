/**
 * The five layouts of a machine-readable zone by ICAO Doc 9303 parts 4 (passports, TD3), 5 (cards, TD1), 6 (TD2) and 7
 * (visas, MRV-A and MRV-B), and that of the French identity card of 1988 to 2021 (IDFRA), which precedes part 6 and has
 * its line length only. Positions count from 0; `end` is exclusive.
 */
export const MRZ_FORMATS = ['TD1', 'TD2', 'TD3', 'MRVA', 'MRVB', 'IDFRA'] as const;
export type MrzFormat = (typeof MRZ_FORMATS)[number];

export interface MrzSpan {
  line: number;
  start: number;
  end: number;
}

/** The characters that a position may hold, used to read and to check it. */
export type CharacterKind = 'letter' | 'digit' | 'alphanumeric' | 'sex' | 'name';

export interface MrzFieldLayout extends MrzSpan {
  kind: CharacterKind;
}

export type MrzFieldKey =
  | 'documentCode'
  | 'issuingState'
  | 'name'
  | 'lastName'
  | 'firstName'
  | 'documentNumber'
  | 'nationality'
  | 'dateOfBirth'
  | 'sex'
  | 'expiryDate'
  | 'optional1'
  | 'optional2';

export interface MrzDigitLayout {
  name: 'documentNumber' | 'dateOfBirth' | 'expiryDate' | 'personalNumber' | 'composite';
  /** The spans that the digit is computed over, in this order. */
  over: MrzSpan[];
  at: { line: number; position: number };
}

export interface MrzLayout {
  format: MrzFormat;
  lineCount: number;
  lineLength: number;
  fields: Partial<Record<MrzFieldKey, MrzFieldLayout>>;
  digits: MrzDigitLayout[];
}

const field = (line: number, start: number, end: number, kind: CharacterKind): MrzFieldLayout => ({
  line,
  start,
  end,
  kind,
});
const span = (line: number, start: number, end: number): MrzSpan => ({ line, start, end });

const buildTwoLineFields = (length: number): MrzLayout['fields'] => ({
  documentCode: field(0, 0, 2, 'letter'),
  issuingState: field(0, 2, 5, 'letter'),
  name: field(0, 5, length, 'name'),
  documentNumber: field(1, 0, 9, 'alphanumeric'),
  nationality: field(1, 10, 13, 'letter'),
  dateOfBirth: field(1, 13, 19, 'digit'),
  sex: field(1, 20, 21, 'sex'),
  expiryDate: field(1, 21, 27, 'digit'),
});

const twoLineDigits: MrzDigitLayout[] = [
  { name: 'documentNumber', over: [span(1, 0, 9)], at: { line: 1, position: 9 } },
  { name: 'dateOfBirth', over: [span(1, 13, 19)], at: { line: 1, position: 19 } },
  { name: 'expiryDate', over: [span(1, 21, 27)], at: { line: 1, position: 27 } },
];

export const MRZ_LAYOUTS: Record<MrzFormat, MrzLayout> = {
  TD1: {
    format: 'TD1',
    lineCount: 3,
    lineLength: 30,
    fields: {
      documentCode: field(0, 0, 2, 'letter'),
      issuingState: field(0, 2, 5, 'letter'),
      documentNumber: field(0, 5, 14, 'alphanumeric'),
      optional1: field(0, 15, 30, 'alphanumeric'),
      dateOfBirth: field(1, 0, 6, 'digit'),
      sex: field(1, 7, 8, 'sex'),
      expiryDate: field(1, 8, 14, 'digit'),
      nationality: field(1, 15, 18, 'letter'),
      optional2: field(1, 18, 29, 'alphanumeric'),
      name: field(2, 0, 30, 'name'),
    },
    digits: [
      { name: 'documentNumber', over: [span(0, 5, 14)], at: { line: 0, position: 14 } },
      { name: 'dateOfBirth', over: [span(1, 0, 6)], at: { line: 1, position: 6 } },
      { name: 'expiryDate', over: [span(1, 8, 14)], at: { line: 1, position: 14 } },
      {
        name: 'composite',
        over: [span(0, 5, 30), span(1, 0, 7), span(1, 8, 15), span(1, 18, 29)],
        at: { line: 1, position: 29 },
      },
    ],
  },
  TD2: {
    format: 'TD2',
    lineCount: 2,
    lineLength: 36,
    fields: { ...buildTwoLineFields(36), optional1: field(1, 28, 35, 'alphanumeric') },
    digits: [
      ...twoLineDigits,
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 35)], at: { line: 1, position: 35 } },
    ],
  },
  TD3: {
    format: 'TD3',
    lineCount: 2,
    lineLength: 44,
    fields: { ...buildTwoLineFields(44), optional1: field(1, 28, 42, 'alphanumeric') },
    digits: [
      ...twoLineDigits,
      { name: 'personalNumber', over: [span(1, 28, 42)], at: { line: 1, position: 42 } },
      { name: 'composite', over: [span(1, 0, 10), span(1, 13, 20), span(1, 21, 43)], at: { line: 1, position: 43 } },
    ],
  },
  // Visas have no composite digit.
  MRVA: {
    format: 'MRVA',
    lineCount: 2,
    lineLength: 44,
    fields: { ...buildTwoLineFields(44), optional1: field(1, 28, 44, 'alphanumeric') },
    digits: twoLineDigits,
  },
  MRVB: {
    format: 'MRVB',
    lineCount: 2,
    lineLength: 36,
    fields: { ...buildTwoLineFields(36), optional1: field(1, 28, 36, 'alphanumeric') },
    digits: twoLineDigits,
  },
  // Surname and given names are fields of their own, and number and composite digit cover other characters. Year and
  // month of issue and the department are part of the number; nationality and expiry are not stated.
  IDFRA: {
    format: 'IDFRA',
    lineCount: 2,
    lineLength: 36,
    fields: {
      documentCode: field(0, 0, 2, 'letter'),
      issuingState: field(0, 2, 5, 'letter'),
      lastName: field(0, 5, 30, 'name'),
      optional1: field(0, 30, 36, 'alphanumeric'),
      documentNumber: field(1, 0, 12, 'alphanumeric'),
      firstName: field(1, 13, 27, 'name'),
      dateOfBirth: field(1, 27, 33, 'digit'),
      sex: field(1, 34, 35, 'sex'),
    },
    digits: [
      { name: 'documentNumber', over: [span(1, 0, 12)], at: { line: 1, position: 12 } },
      { name: 'dateOfBirth', over: [span(1, 27, 33)], at: { line: 1, position: 33 } },
      { name: 'composite', over: [span(0, 0, 36), span(1, 0, 35)], at: { line: 1, position: 35 } },
    ],
  },
};

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ';
const DIGITS = '0123456789';

/** Characters of each kind of position. The filler is allowed in all, because fields may be empty. */
export const ALPHABETS: Record<CharacterKind, string> = {
  letter: `${LETTERS}<`,
  name: `${LETTERS}<`,
  digit: `${DIGITS}<`,
  alphanumeric: `${LETTERS}${DIGITS}<`,
  sex: 'MFX<',
};

const CHECK_DIGIT = `${DIGITS}<`;

/**
 * First letters of document codes (ICAO Doc 9303 parts 4 to 7): P for passports, A, C and I for cards, V for visas; and
 * those of other documents with a zone: D for driving licences, R for residence permits, T for travel documents.
 */
const CODE_LETTERS = 'ACDIPRTV';

/** The allowed characters of each position of each line. */
export function buildPositionAlphabets(format: MrzFormat): string[][] {
  const layout = MRZ_LAYOUTS[format];
  const lines = Array.from({ length: layout.lineCount }, () =>
    Array.from({ length: layout.lineLength }, () => ALPHABETS.alphanumeric),
  );
  const setAlphabet = (line: number, position: number, characters: string): void => {
    const row = lines[line];
    if (row) row[position] = characters;
  };
  for (const { line, start, end, kind } of Object.values(layout.fields)) {
    for (let position = start; position < end; position += 1) setAlphabet(line, position, ALPHABETS[kind]);
  }
  for (const { at } of layout.digits) setAlphabet(at.line, at.position, CHECK_DIGIT);
  setAlphabet(0, 0, CODE_LETTERS);
  // The second letter of the code of a card is never V (parts 5 and 6).
  if (format === 'TD1' || format === 'TD2') setAlphabet(0, 1, ALPHABETS.letter.replace('V', ''));
  return lines;
}

/**
 * Characters that some states print at a position although the standard does not allow them: digits in codes of
 * documents and states. A reader accepts them only if no other character fits.
 */
export function listToleratedCharacters(format: MrzFormat): string[][] {
  const { lineCount, lineLength, fields } = MRZ_LAYOUTS[format];
  const lines = Array.from({ length: lineCount }, () => Array.from({ length: lineLength }, () => ''));
  for (const fieldLayout of [fields.documentCode, fields.issuingState, fields.nationality]) {
    for (let position = fieldLayout?.start ?? 0; position < (fieldLayout?.end ?? 0); position += 1) {
      const row = lines[fieldLayout?.line ?? 0];
      // The first letter identifies the layout and is never a digit.
      if (row && !(fieldLayout?.line === 0 && position === 0)) row[position] = DIGITS;
    }
  }
  return lines;
}

/**
 * Whether two lines of this length may begin with a character: passports have 44 characters a line. Passport cards have
 * three lines.
 */
export const isPossibleLineLength = (firstCharacter: string, lineLength: number): boolean =>
  firstCharacter !== 'P' || lineLength === MRZ_LAYOUTS.TD3.lineLength;

/** How the zone of the French identity card of 1988 to 2021 begins; its later card has three lines. */
const FRENCH_CARD = 'IDFRA';

/**
 * The layouts by the beginning of the first line, number of lines and line length: P is a passport (TD3), V a visa, any
 * other letter a card (TD1, TD2). Some states also print passport cards as TD1 or TD2.
 */
export function detectMrzFormat(beginning: string, lineCount: number, lineLength: number): MrzFormat | null {
  if (lineCount === 3 && lineLength === 30) return 'TD1';
  if (lineCount !== 2) return null;
  if (lineLength === 44) return beginning.startsWith('V') ? 'MRVA' : 'TD3';
  if (lineLength !== 36) return null;
  if (beginning.startsWith(FRENCH_CARD)) return 'IDFRA';
  return beginning.startsWith('V') ? 'MRVB' : 'TD2';
}
