import { distance } from 'fastest-levenshtein';
import { transliterate, stripAccents } from './mrz/names';

/** The letters of a name without spaces: text recognition drops spaces between words. */
const compact = (name: string): string => name.replace(/ /g, '');

const splitWords = (name: string): string[] => name.split(' ').filter((word) => word !== '');

/** A printed text in the letters of a zone, with diacritics transliterated and dropped. */
const listSpellings = (text: string): string[] => [...new Set([transliterate(text), stripAccents(text)])];

export interface NameOptions {
  /** True if the end of the name may be missing because its field is full. */
  truncated?: boolean;
}

/**
 * Whether a word of a name may be the beginning of a printed one: the last word of a truncated name, or an initial of it
 * (ICAO Doc 9303-3, 4.6).
 */
export const isShortened = (words: readonly string[], index: number, { truncated = false }: NameOptions): boolean =>
  truncated && (index === words.length - 1 || words[index]?.length === 1);

/**
 * Whether every word of a name is among printed words. One that may be shortened may also be the beginning of a printed
 * word that no other word of the name states.
 */
function containsWords(words: readonly string[], printed: readonly string[], options: NameOptions): boolean {
  const others = printed.filter((word) => !words.includes(word));
  return words.every(
    (word, index) =>
      printed.includes(word) || (isShortened(words, index, options) && others.some((other) => other.startsWith(word))),
  );
}

/** A printed text without the words that are words of a name. */
export const omitWords = (text: string, words: readonly string[]): string =>
  text
    .split(/\s+/)
    .filter((printed) => !listSpellings(printed).some((spelling) => words.includes(spelling)))
    .join(' ');

/** Whether a text states every word of a name exactly, with diacritics transliterated or dropped. */
export const isNameStated = (name: string, text: string, options: NameOptions = {}): boolean =>
  splitWords(name).length > 0 &&
  listSpellings(text).some(
    (spelling) => compact(spelling) === compact(name) || containsWords(splitWords(name), splitWords(spelling), options),
  );

/** The words of a printed text that state a name, as printed; the whole text if they are not separate words. */
export function quoteName(name: string, text: string): string {
  const expected = splitWords(name);
  const quoted = text
    .split(/[\s,;:]+/)
    .filter((printed) =>
      listSpellings(printed).some((spelling) => splitWords(spelling).some((word) => expected.includes(word))),
    );
  return quoted.length === 0 ? text : quoted.join(' ');
}

/** Whether all words of `one` are words of `other`; an initial stands for a word that begins with it. */
const isPartOf = (one: readonly string[], other: readonly string[]): boolean =>
  one.length > 0 &&
  one.every((word) => other.some((full) => full === word || (word.length === 1 && full.startsWith(word))));

/**
 * Whether given names agree although one source leaves some of them out, as licences do: the first one must agree, and
 * all others that both have.
 */
export const areGivenNamesPart = (name: string, text: string): boolean =>
  listSpellings(text).some((spelling) => {
    const [expected, printed] = [splitWords(name), splitWords(spelling)];
    return expected[0] === printed[0] && (isPartOf(printed, expected) || isPartOf(expected, printed));
  });

/** Share of the letters of a word up to which a printed word counts as a variant of it. */
const VARIANT_SHARE = 0.34;

const isVariant = (word: string, printed: string): boolean => {
  const difference = distance(word, printed);
  return difference > 0 && difference <= Math.floor(Math.max(word.length, printed.length) * VARIANT_SHARE);
};

/** A printed word that resembles a word of a name and differs from it, as printed; null without one. */
export function findNameVariant(name: string, text: string): string | null {
  const expected = splitWords(name).filter((word) => word.length >= 4);
  const found = text
    .split(/\s+/)
    .find((printed) =>
      listSpellings(printed).some((spelling) => expected.some((word) => isVariant(word, compact(spelling)))),
    );
  return found?.replace(/[,;:]+$/, '') ?? null;
}

/** Whether a text has a word that could be a name. */
export const hasNameWord = (text: string): boolean => splitWords(stripAccents(text)).some((word) => word.length >= 2);
