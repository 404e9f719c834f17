import { distance } from 'fastest-levenshtein';
import { stripCountry } from './locality';
import type { PostalAddress } from './result';

/** Spellings of address words, each with the form that is compared. */
const SYNONYMS: Record<string, string> = Object.fromEntries(
  (
    [
      ['st', 'street str strasse'],
      ['rd', 'road'],
      ['av', 'avenue ave avenida avda avd'],
      ['ln', 'lane'],
      ['dr', 'drive'],
      ['ct', 'court'],
      ['sq', 'square'],
      ['bd', 'boulevard blvd boul'],
      ['pl', 'place plaza platz piazza'],
      ['c', 'calle'],
      ['apt', 'apartment flat unit wohnung appartement piso'],
      ['n', 'north'],
      ['s', 'south'],
      ['e', 'east'],
      ['w', 'west'],
    ] as const
  ).flatMap(([word, others]) => others.split(' ').map((other) => [other, word])),
);

const IGNORED = new Set('no nr num number n° the of de la le les del der die das'.split(' '));

/** The words of an address in lower case without diacritics, with abbreviations such as "Hauptstr." expanded. */
function splitAddressWords(address: string): string[] {
  const plain = stripCountry(address)
    .replace(/ß/g, 'ss')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/(\p{L}{3,})(strasse|str)\b\.?/gu, '$1 st')
    .replace(/\bc\//g, 'c ');
  return (plain.match(/[\p{L}\d]+/gu) ?? []).map((word) => SYNONYMS[word] ?? word).filter((word) => !IGNORED.has(word));
}

const compactText = (text: string): string => text.replace(/[^\p{L}\d]/gu, '').toLowerCase();

const isNear = (a: string, b: string): boolean => a === b || (Math.min(a.length, b.length) >= 5 && distance(a, b) <= 1);

/** Minimum share of the expected words that the letter must contain. */
const MIN_SHARE = 0.65;
const MIN_WORDS = 2;

const computeShareFound = (expected: readonly string[], words: readonly string[]): number =>
  expected.length === 0
    ? 0
    : expected.filter((word) => words.some((other) => isNear(word, other))).length / expected.length;

/**
 * Whether an expected address equals the one read on a letter: the postal code if the expected text contains one of
 * that form, every number of the street, and most words in any abbreviation. If the postal code agrees, an address
 * with more or fewer words passes.
 */
export function addressesAgree(expected: string, read: PostalAddress): boolean {
  if (expected === read.raw) return true;
  const expectedWords = splitAddressWords(expected);
  const printed = splitAddressWords(read.raw);
  const code = compactText(read.postalCode ?? '');
  const sameCode = code !== '' && compactText(expected).includes(code);
  const isCodePart = (word: string): boolean => sameCode && code.includes(word);
  const numbers = expectedWords.filter((word) => /^\d+[a-z]?$/.test(word) && !isCodePart(word));
  // A different code of the same form is another place.
  const otherCode =
    !sameCode && code !== '' && numbers.some((word) => /^\d{4,}$/.test(word) && word.length === code.length);
  if (otherCode || !numbers.every((number) => printed.includes(number))) return false;
  // A town alone does not identify an address.
  if (expectedWords.filter((word) => printed.includes(word)).length < MIN_WORDS) return false;
  const [stated, found] = [computeShareFound(expectedWords, printed), computeShareFound(printed, expectedWords)];
  return Math.max(stated, found) >= (sameCode ? MIN_SHARE - 0.15 : MIN_SHARE);
}
