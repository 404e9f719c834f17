/**
 * Letter n-grams by which similar spellings are found: trigrams including the word boundaries, and additionally bigrams
 * for short words, in which a single edit may leave no trigram intact.
 */
const LETTERS = 38;
const TRIPLES = LETTERS ** 3;

/** Exclusive upper bound of gram numbers. */
export const GRAM_COUNT = TRIPLES + LETTERS ** 2;

/** Longest word that is indexed by bigrams. */
const MAX_SHORT_WORD_LENGTH = 5;

/** 0: word boundary, 1–26: letters, 27–36: digits, 37: anything else. */
function letterAt(word: string, at: number): number {
  if (at < 0 || at >= word.length) return 0;
  const code = word.charCodeAt(at);
  if (code >= 97 && code <= 122) return code - 96;
  return code >= 48 && code <= 57 ? code - 21 : 37;
}

/** The distinct grams under which a word is indexed. */
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

/**
 * The grams by which a word is looked up. A word one letter longer than a short word may be a short word with an extra
 * letter, and is looked up by bigrams too.
 */
export const listSearchGrams = (word: string): number[] => listGrams(word, word.length <= MAX_SHORT_WORD_LENGTH + 1);

/** Maximum number of grams that two words of these lengths can share. */
export const countMaxSharedGrams = (length: number, pairs: boolean): number => (pairs ? 2 * length + 1 : length);

/** Whether a word of this length is compared as a whole instead of by its parts. */
export const isShortLength = (length: number): boolean => length <= MAX_SHORT_WORD_LENGTH;
