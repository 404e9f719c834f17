import { splitSearchWords } from '../search-tokens';

/** Words that many names have. */
const COMMON_WORDS = new Set(
  'gmbh ag kg ug ohg e.v co inc ltd llc sarl sas sa srl bv nv the und and mr mrs'.split(' '),
);

export const listNameWords = (name: string): Set<string> =>
  new Set(splitSearchWords(name).filter((word) => word.length > 1 && !COMMON_WORDS.has(word)));

export type Words = ReadonlySet<string>;

export function compareWords(first: Words, second: Words): number {
  const [shorter, longer] = first.size < second.size ? [first, second] : [second, first];
  if (shorter.size === 0) return 0;
  return [...shorter].filter((word) => longer.has(word)).length / shorter.size;
}

/** Share of the words that two names have in common, 0 to 1, of the shorter one. */
export const compareNames = (a: string, b: string): number => compareWords(listNameWords(a), listNameWords(b));
