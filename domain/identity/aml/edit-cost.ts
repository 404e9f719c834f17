/** Costs of an edit, in letters. Vowels and letters of similar sound vary between spellings and cost less. */
const COST = { vowelSwap: 0.45, vowelGap: 0.75, breath: 0.5, related: 0.5, swapNeighbours: 0.8, other: 1 } as const;

const VOWELS = 'aeiouy';
const RELATED = 'sz ck kq bp dt vf vb gk gj jy ji mn sc hk wv wu xs zj'.split(' ');
const CODES = 128;

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

/** Longer words are truncated: no word of a name is as long. */
const MAX_WORD_LENGTH = 63;
const WIDTH = MAX_WORD_LENGTH + 1;
/** Three rows of the dynamic-programming table, reused by every call: a query compares hundreds of words. */
const rows = [new Float64Array(WIDTH), new Float64Array(WIDTH), new Float64Array(WIDTH)] as const;
const codesA = new Uint8Array(MAX_WORD_LENGTH);
const codesB = new Uint8Array(MAX_WORD_LENGTH);

function encode(text: string, codes: Uint8Array): number {
  const length = Math.min(text.length, MAX_WORD_LENGTH);
  for (let at = 0; at < length; at += 1) codes[at] = text.charCodeAt(at) & (CODES - 1);
  return length;
}

const readAt = (row: Float64Array | Uint8Array, index: number): number => row[index] ?? 0;

/**
 * Weighted optimal string alignment distance of two ASCII words (edits and transpositions), in letters; symmetrical.
 * @returns Infinity if the distance exceeds `limit`
 */
export function computeEditCost(a: string, b: string, limit = Infinity): number {
  if (a === b) return 0;
  if (Math.abs(a.length - b.length) * COST.breath > limit) return Infinity;
  const lengthA = encode(a, codesA);
  const lengthB = encode(b, codesB);
  let [before, row, next]: readonly [Float64Array, Float64Array, Float64Array] = rows;
  row[0] = 0;
  for (let j = 1; j <= lengthB; j += 1) row[j] = readAt(row, j - 1) + readAt(GAP, readAt(codesB, j - 1));
  for (let i = 1; i <= lengthA; i += 1) {
    const letter = readAt(codesA, i - 1);
    const gap = readAt(GAP, letter);
    next[0] = readAt(row, 0) + gap;
    let rowMinimum = readAt(next, 0);
    for (let j = 1; j <= lengthB; j += 1) {
      const other = readAt(codesB, j - 1);
      let cost = readAt(row, j - 1) + readAt(SUBSTITUTION, letter * CODES + other);
      const removed = readAt(row, j) + gap;
      if (removed < cost) cost = removed;
      const added = readAt(next, j - 1) + readAt(GAP, other);
      if (added < cost) cost = added;
      if (i > 1 && j > 1 && letter === readAt(codesB, j - 2) && readAt(codesA, i - 2) === other) {
        const swapped = readAt(before, j - 2) + COST.swapNeighbours;
        if (swapped < cost) cost = swapped;
      }
      next[j] = cost;
      if (cost < rowMinimum) rowMinimum = cost;
    }
    if (rowMinimum > limit) return Infinity;
    [before, row, next] = [row, next, before];
  }
  return readAt(row, lengthB);
}
