import { computeEditCost } from './edit-cost';
import { toKoreanSoundKey } from './phonetics';
import type { Token } from './names';

/** Share of a word's letters that may change before it counts as another word. */
const MAX_EDIT_SHARE = 0.42;
const CURVE = 1.35;

/** Similarity of two spellings, 0–1: 0 from {@link MAX_EDIT_SHARE} on. An edit costs more in a short word. */
export function computeSpellingSimilarity(a: string, b: string): number {
  if (a === b) return 1;
  const length = Math.max(a.length, b.length);
  const scale = length <= 3 ? 1.5 : length === 4 ? 1.2 : 1;
  const cost = computeEditCost(a, b, (MAX_EDIT_SHARE * length) / scale) * scale;
  const share = cost / length;
  return share >= MAX_EDIT_SHARE ? 0 : 1 - (share / MAX_EDIT_SHARE) ** CURVE;
}

/** Whether two words are anagrams, as in deliberately disguised names: `nitPu`. */
const isShuffled = (a: Token, b: Token): boolean =>
  a.text.length >= 5 && a.text.length === b.text.length && a.letters === b.letters;

/** Scripts whose transliteration does not state the vowels or the exact sounds. */
const isApproximateScript = ({ script }: Token): boolean => ['consonants', 'abugida', 'han', 'kana'].includes(script);

function compareSkeletons(a: string, b: string): number {
  const length = Math.min(a.length, b.length);
  if (length === 0 || a.charAt(0) !== b.charAt(0)) return 0;
  // Two common consonants are weak evidence, three or more are strong.
  const trust = length >= 3 ? 0.93 : length === 2 ? 0.86 : 0.74;
  return trust * computeSpellingSimilarity(a, b);
}

function compareAcrossScripts(a: Token, b: Token): number {
  if (a.script === 'hangul' || b.script === 'hangul') {
    return 0.97 * computeSpellingSimilarity(toKoreanSoundKey(a.text), toKoreanSoundKey(b.text));
  }
  if (!isApproximateScript(a) && !isApproximateScript(b)) return 0;
  return Math.max(
    compareSkeletons(a.skeleton, b.skeleton),
    a.easternSkeleton === '' ? 0 : compareSkeletons(a.easternSkeleton, b.skeleton),
    b.easternSkeleton === '' ? 0 : compareSkeletons(a.skeleton, b.easternSkeleton),
  );
}

const SAME_NAME_SIMILARITY = 0.93;
const SAME_SOUND_SIMILARITY = 0.96;
const SHUFFLED_SIMILARITY = 0.78;
/** Below this two words count as unrelated. */
export const MIN_SIMILARITY = 0.45;

/** Direct-mapped cache of similarities: a pair overwrites another pair of the same slot. */
const SLOTS = 2 ** 17;
const slotA = new Uint32Array(SLOTS);
const slotB = new Uint32Array(SLOTS);
const slotValue = new Float32Array(SLOTS);

/** Cached {@link computeTokenSimilarity}: the same listed words are compared again and again. */
export function getCachedTokenSimilarity(a: Token, b: Token): number {
  if (a.text === b.text) return 1;
  const slot = (Math.imul(a.id, 0x9e3779b1) ^ Math.imul(b.id, 0x85ebca6b)) >>> 15;
  if (slotA[slot] === a.id && slotB[slot] === b.id) return slotValue[slot] ?? 0;
  const similarity = computeTokenSimilarity(a, b);
  slotA[slot] = a.id;
  slotB[slot] = b.id;
  slotValue[slot] = similarity;
  return similarity;
}

const SAME_KOREAN_SIMILARITY = 0.95;

/** Similarity of two words of names that may both be Korean: romanisations of the same syllables are one word. */
export const compareKoreanWords = (a: Token, b: Token): number =>
  a.koreanKey !== '' && a.koreanKey === b.koreanKey ? SAME_KOREAN_SIMILARITY : 0;

/** Similarity of two words of names, 0–1; symmetrical. */
export function computeTokenSimilarity(a: Token, b: Token): number {
  if (a.text === b.text) return 1;
  if (a.kind === 'number' || b.kind === 'number') return 0;
  if (a.kind === 'initial' || b.kind === 'initial') return 0;
  const nameSimilarity = a.groups.some((group) => b.groups.includes(group)) ? SAME_NAME_SIMILARITY : 0;
  const spelling = computeSpellingSimilarity(a.text, b.text);
  const plain = a.sound === a.text && b.sound === b.text;
  const sounding = plain ? 0 : SAME_SOUND_SIMILARITY * computeSpellingSimilarity(a.sound, b.sound);
  const best = Math.max(
    nameSimilarity,
    sounding,
    spelling,
    a.script === b.script ? 0 : compareAcrossScripts(a, b),
    isShuffled(a, b) ? SHUFFLED_SIMILARITY : 0,
  );
  return best < MIN_SIMILARITY ? 0 : best;
}
