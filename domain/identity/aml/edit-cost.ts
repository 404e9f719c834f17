/** Costs of an edit, in letters. Vowels and letters of similar sound vary between spellings and cost less. */
const COST = { vowelSwap: 0.45, vowelGap: 0.75, breath: 0.5, related: 0.5, swapNeighbours: 0.8, other: 1 } as const;

const VOWELS = 'aeiouy';
const RELATED = 'sz ck kq bp dt vf vb gk gj jy ji mn sc hk wv wu xs zj'.split(' ');
const CODES = 128;

// One function for each type of array: V8 compiles a function that reads several types to slower code.
const readCost = (row: Float64Array, index: number): number => row[index] ?? 0;
const readCode = (codes: Uint8Array, index: number): number => codes[index] ?? 0;

const SUBSTITUTION = new Float64Array(CODES * CODES).fill(COST.other);
const GAP = new Float64Array(CODES).fill(COST.other);

for (const vowel of VOWELS) {
  GAP[vowel.charCodeAt(0)] = COST.vowelGap;
  for (const other of VOWELS) SUBSTITUTION[vowel.charCodeAt(0) * CODES + other.charCodeAt(0)] = COST.vowelSwap;
}
for (const pair of RELATED) {
  const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  SUBSTITUTION[a * CODES + b] = COST.related;
  SUBSTITUTION[b * CODES + a] = COST.related;
}
for (let code = 0; code < CODES; code += 1) SUBSTITUTION[code * CODES + code] = 0;
for (const breath of 'hj') GAP[breath.charCodeAt(0)] = COST.breath;

const FIRST_LETTER = 97;
const LETTERS = 26;
const toBit = (letter: string): number => 1 << (letter.charCodeAt(0) - FIRST_LETTER);
const VOWEL_MASK = [...VOWELS].reduce((mask, vowel) => mask | toBit(vowel), 0);
/** By letter: the letters that may replace it at less than the full cost. */
const RELATED_MASKS = new Uint32Array(LETTERS);
for (const pair of RELATED) {
  for (const [letter, other] of [pair, [...pair].reverse().join('')]) {
    const index = (letter ?? '').charCodeAt(0) - FIRST_LETTER;
    RELATED_MASKS[index] = (RELATED_MASKS[index] ?? 0) | toBit(other ?? '');
  }
}

/** Longer words are truncated: no word of a name is as long. */
const MAX_WORD_LENGTH = 63;
const WIDTH = MAX_WORD_LENGTH + 1;
/** Three rows of the dynamic-programming table, reused by every call: a query compares hundreds of words. */
const rows = [new Float64Array(WIDTH), new Float64Array(WIDTH), new Float64Array(WIDTH)] as const;
const codesA = new Uint8Array(MAX_WORD_LENGTH);
const codesB = new Uint8Array(MAX_WORD_LENGTH);

/** @returns the letters of the word, one bit each */
function encode(text: string, length: number, codes: Uint8Array): number {
  let letters = 0;
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at) & (CODES - 1);
    codes[at] = code;
    const letter = code - FIRST_LETTER;
    if (letter >= 0 && letter < LETTERS) letters |= 1 << letter;
  }
  return letters;
}

/**
 * Lower bound of the cost of editing a word into one of the letters `other`: each letter that the other word does not
 * have must be replaced or removed at least once.
 */
function computeLeastCost(letters: number, other: number): number {
  let cost = 0;
  for (let rest = letters & ~other; rest !== 0; rest &= rest - 1) {
    const letter = 31 - Math.clz32(rest & -rest);
    const related = (RELATED_MASKS[letter] ?? 0) & other;
    const isVowel = ((VOWEL_MASK >>> letter) & 1) === 1;
    const replaced = isVowel && (VOWEL_MASK & other) !== 0 ? COST.vowelSwap : related !== 0 ? COST.related : COST.other;
    cost += Math.min(replaced, readCost(GAP, FIRST_LETTER + letter));
  }
  return cost;
}

/**
 * Weighted optimal string alignment distance of two ASCII words (edits and transpositions), in letters; symmetrical.
 * @returns a number above `limit`, usually Infinity, if the distance exceeds it
 */
export function computeEditCost(a: string, b: string, limit = Infinity): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) * COST.breath > limit) return Infinity;
  const lengthA = Math.min(a.length, MAX_WORD_LENGTH);
  const lengthB = Math.min(b.length, MAX_WORD_LENGTH);
  const lettersA = encode(a, lengthA, codesA);
  const lettersB = encode(b, lengthB, codesB);
  if (Math.max(computeLeastCost(lettersA, lettersB), computeLeastCost(lettersB, lettersA)) > limit) return Infinity;
  return alignCodes(lengthA, lengthB, limit);
}

/** The cost of editing the words in `codesA` and `codesB`; Infinity if it exceeds `limit`. */
function alignCodes(lengthA: number, lengthB: number, limit: number): number {
  let [before, row, next]: readonly [Float64Array, Float64Array, Float64Array] = rows;
  row[0] = 0;
  for (let j = 1; j <= lengthB; j += 1) row[j] = readCost(row, j - 1) + readCost(GAP, readCode(codesB, j - 1));
  for (let i = 1; i <= lengthA; i += 1) {
    const letter = readCode(codesA, i - 1);
    const gap = readCost(GAP, letter);
    next[0] = readCost(row, 0) + gap;
    let rowMinimum = readCost(next, 0);
    for (let j = 1; j <= lengthB; j += 1) {
      const other = readCode(codesB, j - 1);
      let cost = readCost(row, j - 1) + readCost(SUBSTITUTION, letter * CODES + other);
      const removed = readCost(row, j) + gap;
      if (removed < cost) cost = removed;
      const added = readCost(next, j - 1) + readCost(GAP, other);
      if (added < cost) cost = added;
      if (i > 1 && j > 1 && letter === readCode(codesB, j - 2) && readCode(codesA, i - 2) === other) {
        const swapped = readCost(before, j - 2) + COST.swapNeighbours;
        if (swapped < cost) cost = swapped;
      }
      next[j] = cost;
      if (cost < rowMinimum) rowMinimum = cost;
    }
    if (rowMinimum > limit) return Infinity;
    [before, row, next] = [row, next, before];
  }
  return readCost(row, lengthB);
}
