/**
 * Pieces of a word by which words written nearly alike find each other: runs of three letters with the word's beginning
 * and end, and for short words, of which one change may leave no such run, of two.
 */
const LETTERS = 38;
const TRIPLES = LETTERS ** 3;

/** Every piece is a number below this. */
export const GRAM_COUNT = TRIPLES + LETTERS ** 2;

/** Longest word that is filed by pairs of letters. */
const MAX_SHORT_WORD_LENGTH = 5;

/** 0 beginning or end, 1–26 letters, 27–36 digits, 37 all else */
function letterAt(word: string, at: number): number {
  if (at < 0 || at >= word.length) return 0;
  const code = word.charCodeAt(at);
  if (code >= 97 && code <= 122) return code - 96;
  return code >= 48 && code <= 57 ? code - 21 : 37;
}

/** Pieces a word is filed under, each once. */
export function listGrams(word: string, pairs = word.length <= MAX_SHORT_WORD_LENGTH): number[] {
  const grams = new Set<number>();
  for (let at = 0; at < word.length; at += 1) {
    const [before, letter, after] = [letterAt(word, at - 1), letterAt(word, at), letterAt(word, at + 1)];
    grams.add((before * LETTERS + letter) * LETTERS + after);
    if (pairs) {
      grams.add(TRIPLES + before * LETTERS + letter);
      if (after === 0) grams.add(TRIPLES + letter * LETTERS);
    }
  }
  return [...grams];
}

/** Pieces a word is looked for by: a letter longer than a short word, it may still be one with a letter too many. */
export const listSearchGrams = (word: string): number[] => listGrams(word, word.length <= MAX_SHORT_WORD_LENGTH + 1);

/** Most pieces two words of these lengths can share. */
export const countMaxSharedGrams = (length: number, pairs: boolean): number => (pairs ? 2 * length + 1 : length);

export const isShortLength = (length: number): boolean => length <= MAX_SHORT_WORD_LENGTH;
