const LETTERS = 'abcdefghijklmnopqrstuvwxyz';

/** Shorter names have too many neighbours that are other names; longer ones would take too many lookups. */
const LENGTHS = { min: 6, max: 60 } as const;

const hasCorrectableLength = ({ length }: string): boolean => length >= LENGTHS.min && length <= LENGTHS.max;

const isDigit = (character: string | undefined): boolean => character !== undefined && /\d/.test(character);

/**
 * The keys that a normalised name may have been mistyped from: one letter is missing, too many, wrong, or exchanged with
 * its neighbour. Digits are kept: companies are distinguished by them.
 */
export function listCorrections(key: string): string[] {
  if (!hasCorrectableLength(key)) return [];
  const found = new Set<string>();
  for (let at = 0; at <= key.length; at += 1) {
    const [before, letter, next, after] = [key.slice(0, at), key[at], key[at + 1], key.slice(at + 1)];
    for (const added of LETTERS) found.add(before + added + key.slice(at));
    if (letter === undefined || isDigit(letter)) continue;
    found.add(before + after);
    for (const other of LETTERS) found.add(before + other + after);
    if (next !== undefined && !isDigit(next)) found.add(before + next + letter + key.slice(at + 2));
  }
  found.delete(key);
  return [...found].filter((each) => each.trim() === each);
}

/** Whether two normalised names differ by one mistyped letter, as {@link listCorrections} corrects it; symmetrical. */
export function differByOneLetter(a: string, b: string): boolean {
  if (a === b || !hasCorrectableLength(a) || !hasCorrectableLength(b) || Math.abs(a.length - b.length) > 1)
    return false;
  let start = 0;
  while (start < a.length && a[start] === b[start]) start += 1;
  let end = 0;
  while (end < Math.min(a.length, b.length) - start && a.at(-1 - end) === b.at(-1 - end)) end += 1;
  const [left, right] = [a.slice(start, a.length - end), b.slice(start, b.length - end)];
  if ([...left, ...right].some((character) => isDigit(character))) return false;
  const isExchanged = left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
  return isExchanged || (left.length <= 1 && right.length <= 1);
}
