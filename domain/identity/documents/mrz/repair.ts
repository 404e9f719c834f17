import { isStateCode, STATE_CODES } from './states';
import type { ParsedMrz } from './parse';

/** Characters of OCR-B that are easily confused. */
const CONFUSABLE_GROUPS = [
  '0OQD',
  '1ILT',
  '2Z',
  '5S',
  '6G',
  '8B',
  '7T',
  '4A',
  'UV',
  'VY',
  'MN',
  'HN',
  'KX',
  'EF',
  'CG',
  '<KLX',
];

/** The characters that a character may have been misread from. */
export function listLookalikes(character: string): string[] {
  return [...new Set(CONFUSABLE_GROUPS.filter((group) => group.includes(character)).join(''))].filter(
    (other) => other !== character,
  );
}

/**
 * Removes characters that cannot be part of a name field: after the second pair of fillers (the first separates
 * surname and given names) only fillers follow, so anything read there is guilloche.
 */
export function cleanNameField(field: string): string {
  const first = field.indexOf('<<');
  if (first < 0) return field;
  const givenStart = first + 2;
  // Three or more fillers after the surname: there is no given name.
  const rest = field.slice(givenStart);
  const end = rest.indexOf('<<');
  return end < 0 ? field : field.slice(0, givenStart + end).padEnd(field.length, '<');
}

/** The same for a field with the surname alone: after a pair of fillers only fillers follow. */
export const cleanSurnameField = (field: string): string => {
  const end = field.indexOf('<<');
  return end < 0 ? field : field.slice(0, end).padEnd(field.length, '<');
};

/** Letters that a filler is misread as. */
const FILLER_LOOKALIKES = 'ACDK';

/**
 * Replaces single letters among the fillers of optional data by fillers: with at least two fillers, or one and the end
 * of the field, on each side, such a letter is a misread filler.
 */
export const clearIsolatedLetters = (field: string): string =>
  field.replace(new RegExp(`(?<=<<|^<)[${FILLER_LOOKALIKES}](?=<<|<$)`, 'g'), '<');

const LETTER_BY_DIGIT: Record<string, string> = { 0: 'O', 1: 'I', 2: 'Z', 5: 'S', 6: 'G', 8: 'B' };

/** Replaces digits of a state code by the letters they were misread from, if the result is a known code. */
export function repairStateLetters(code: string): string {
  const letters = [...code].map((character) => LETTER_BY_DIGIT[character] ?? character).join('');
  return isStateCode(letters.replace(/<+$/, '')) ? letters : code;
}

/**
 * The likely state of a three-character code: the code itself if it exists or is empty, else the only existing code that
 * differs in one character, or the expected one if it differs in one character.
 */
export function findNearestState(code: string, expected: string | null): string | null {
  const bare = code.replace(/<+$/, '');
  if (bare === '' || isStateCode(bare)) return code;
  const distance = (other: string): number =>
    [...other.padEnd(3, '<')].filter((character, index) => character !== code.charAt(index)).length;
  if (expected !== null && expected !== '' && distance(expected) === 1) return expected.padEnd(3, '<');
  const near = STATE_CODES.filter((other) => distance(other) === 1);
  const [only] = near;
  return near.length === 1 && only !== undefined ? only.padEnd(3, '<') : null;
}

/**
 * The share of check digits that verify. Digits of empty fields prove nothing, nor does a composite digit alone: of
 * random text one in ten verifies.
 */
function computeVerifiedShare(checkDigits: ParsedMrz['checkDigits']): number {
  const conclusive = checkDigits.filter(({ printed, valid }) => printed !== '<' || !valid);
  const verified = conclusive.filter(({ valid }) => valid);
  const isCompositeAlone = verified.length === 1 && verified[0]?.name === 'composite';
  return isCompositeAlone ? 0 : verified.length / Math.max(1, conclusive.length);
}

/**
 * Plausibility of a parsed zone, to choose between readings: verified digits, known states, characters at allowed
 * positions.
 */
export function computePlausibility({ checkDigits, fields, misplaced }: ParsedMrz): number {
  const digits = computeVerifiedShare(checkDigits);
  const states = [fields.issuingState, fields.nationality].filter((code) => code !== null && isStateCode(code)).length;
  const dates = [fields.dateOfBirth, fields.expiryDate].filter((date) => date !== null).length;
  const hasName = fields.lastName !== null && fields.lastName.length > 1 ? 1 : 0;
  return digits * 4 + states * 0.5 + dates * 0.25 + hasName * 0.25 - Math.min(1, misplaced.length * 0.1);
}
