/**
 * Full-text search without a search engine: every record stores the prefixes of its words, so that each word of a
 * query is one equality lookup in an index that also contains the sort order.
 */
export const MAX_PREFIX_LENGTH = 16;
const MAX_WORDS = 40;
export const MAX_QUERY_WORDS = 8;

/** Lower case, without diacritics, in compatibility form: `Ångström` and `angstrom` are the same word. */
export const foldText = (text: string): string =>
  text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/ß/g, 'ss')
    .replace(/ø/g, 'o')
    .replace(/ł/g, 'l');

const trimPunctuation = (word: string): string => word.replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, '');

/** The searchable words of a text: `INV-2026-000042` is found by itself and by 2026, 000042 and 42. */
export function splitSearchWords(text: string): string[] {
  const words = new Set<string>();
  for (const raw of foldText(text).split(/\s+/)) {
    const whole = trimPunctuation(raw);
    if (whole === '') continue;
    words.add(whole);
    for (const part of whole.split(/[^\p{L}\p{N}]+/u)) {
      if (part === '') continue;
      words.add(part);
      const unpadded = part.replace(/^0+(?=\d)/, '');
      words.add(unpadded);
    }
  }
  return [...words];
}

/** Most ends of one word that are searchable by themselves. */
const MAX_ENDS = 8;

/** The ends of a word of several parts, so that `INV-2026-000042` is found by `2026-000042`, too. */
function listWordEnds(word: string): string[] {
  const ends: string[] = [];
  for (const { index, 0: separator } of word.matchAll(/[^\p{L}\p{N}]+/gu)) {
    if (ends.length === MAX_ENDS) break;
    ends.push(word.slice(index + separator.length));
  }
  return ends;
}

/** The words of a text, of which every beginning finds it. */
function listFoundWords(text: string): string[] {
  const words = splitSearchWords(text);
  return [...words, ...words.flatMap(listWordEnds)];
}

/** A word and its prefixes of up to 16 characters. */
function listPrefixes(word: string): string[] {
  const characters = [...word];
  const lengths = Array.from({ length: Math.min(characters.length, MAX_PREFIX_LENGTH) }, (_, index) => index + 1);
  return [...lengths.map((length) => characters.slice(0, length).join('')), word];
}

/** The words of all texts and their prefixes of up to 16 characters; null and undefined are ignored. */
export function buildSearchTokens(texts: readonly (string | null | undefined)[]): string[] {
  const words = new Set(texts.flatMap((text) => listFoundWords(text ?? '')));
  return [...new Set([...words].slice(0, MAX_WORDS).flatMap(listPrefixes))];
}

/**
 * Adds the ends of the words of a record to its tokens, for records that were written before ends were searchable. The
 * words are the tokens with which no other one begins.
 */
export function addWordEnds(tokens: readonly string[]): string[] {
  const sorted = [...tokens].sort();
  const words = sorted.filter((token, index) => sorted[index + 1]?.startsWith(token) !== true);
  const ends = new Set(words.flatMap(listWordEnds));
  return [...new Set([...tokens, ...[...ends].slice(0, MAX_WORDS).flatMap(listPrefixes)])];
}

/**
 * The words of a query, each of which must be a prefix of a word of a record. Duplicates are removed, and so is
 * punctuation between words. A query of only punctuation finds nothing, whereas an empty query finds everything.
 */
export function parseQueryWords(query: string): string[] {
  const parts = foldText(query)
    .split(/\s+/)
    .filter((part) => part !== '');
  const words = parts.map(trimPunctuation).filter((word) => word !== '');
  return [...new Set(words.length > 0 ? words : parts)].slice(0, MAX_QUERY_WORDS);
}

/** Whether every word of a query is a prefix of a word of the texts, as a search in stored tokens finds it. */
export function matchesQuery(query: string, texts: readonly string[]): boolean {
  const words = texts.flatMap(listFoundWords);
  return parseQueryWords(query).every((part) => words.some((word) => word.startsWith(part)));
}

/** The stored token for a word of a query; `rest` is set if only longer stored words can match. */
export function getLookupToken(word: string): { token: string; rest: string | null } {
  const characters = [...word];
  if (characters.length <= MAX_PREFIX_LENGTH) return { token: word, rest: null };
  return { token: characters.slice(0, MAX_PREFIX_LENGTH).join(''), rest: word };
}
