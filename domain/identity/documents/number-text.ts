import { distance } from 'fastest-levenshtein';

/** Letters that print and recognition do not distinguish from digits; two digits are never equal. */
const LOOKALIKES: Record<string, string> = { O: '0', I: '1', Z: '2', S: '5', B: '8' };

const isAlphanumeric = (character: string): boolean => /[A-Z0-9]/.test(character);

/** Letters and digits of a text in upper case, with the position of each. */
interface Characters {
  folded: string;
  positions: number[];
}

function foldText(text: string): Characters {
  const characters: Characters = { folded: '', positions: [] };
  // The case is changed per character, so that positions stay those of the text.
  [...text].forEach((original, position) => {
    const upper = original.toUpperCase();
    if (upper.length !== 1 || !isAlphanumeric(upper)) return;
    characters.folded += LOOKALIKES[upper] ?? upper;
    characters.positions.push(position);
  });
  return characters;
}

/** Captions that recognition joins with the number after them. */
const CAPTION = /^(?:\d[A-D]?)?(?:DLN?|NO|NR|N|LIC|ID)$/i;

/** The word between series and number, as in "HD NR 198025". */
const SERIES = /(?<=\b[A-Z]{1,3})\s*(?:NR|NO|N[°º])\.?\s*(?=\d{4})/i;

/** The letters and digits directly before a position. */
const readRunBefore = (text: string, position: number): string =>
  /[A-Z0-9]*$/i.exec(text.slice(0, position))?.[0] ?? '';

/**
 * The part of a text that states a number, as printed: the same characters, with any separators between them, that do
 * not continue as a longer number. Null if there is none.
 */
export function quoteNumber(number: string, text: string): string | null {
  const plain = text.replace(SERIES, '');
  return findNumber(number, text) ?? (plain === text ? null : findNumber(number, plain));
}

function findNumber(number: string, text: string): string | null {
  const wanted = foldText(number).folded;
  const { folded, positions } = foldText(text);
  if (wanted.length < 4) return null;
  const letters = [...text];
  for (let at = folded.indexOf(wanted); at >= 0; at = folded.indexOf(wanted, at + 1)) {
    const start = positions[at] ?? 0;
    const end = (positions[at + wanted.length - 1] ?? 0) + 1;
    const before = readRunBefore(letters.join(''), start);
    const continues = isAlphanumeric((letters[end] ?? ' ').toUpperCase());
    if (!continues && (before === '' || CAPTION.test(before))) return letters.slice(start, end).join('');
  }
  return null;
}

/** Up to this many words of a line may belong to one number. */
const MAX_PARTS = 4;

/** Share of the characters of a number up to which another number counts as a variant of it. */
const VARIANT_SHARE = 0.25;

/** The part of a text that resembles a number and differs from it, as printed; null without one. */
export function findNumberVariant(number: string, text: string): string | null {
  const wanted = foldText(number).folded;
  if (wanted.length < 6) return null;
  const words = text.split(/\s+/);
  const limit = Math.max(1, Math.floor(wanted.length * VARIANT_SHARE));
  for (const [index] of words.entries()) {
    for (let count = 1; count <= MAX_PARTS && index + count <= words.length; count += 1) {
      const candidate = words.slice(index, index + count).join(' ');
      const { folded } = foldText(candidate);
      const difference = distance(folded, wanted);
      if (/\d{3}/.test(folded) && difference > 0 && difference <= limit) return candidate;
    }
  }
  return null;
}

/** Whether a text has the form of a document number, whatever it states. */
export function isNumberLike(text: string): boolean {
  const { folded } = foldText(text);
  return folded.length >= 6 && folded.length <= 14 && /\d{3}/.test(text);
}
