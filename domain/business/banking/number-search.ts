/** A shorter number, such as 7, occurs in many texts. */
const MIN_REFERENCE_LENGTH = 4;

/** Of the text of a transaction; compatibility forms, of which some have 18 characters, count as they are written out. */
const MAX_TEXT_LENGTH = 4000;

/** Compatibility forms are written out, in lower case. */
const fold = (text: string): string => text.normalize('NFKD').toLowerCase();
const toPlain = (folded: string): string => folded.replaceAll(/[^\p{L}\p{N}]/gu, '');

/** A text in which numbers are looked for, with and without separators. */
export interface SearchedText {
  folded: string;
  plain: string;
}

export function prepareText(text: string): SearchedText {
  const folded = fold(text.slice(0, MAX_TEXT_LENGTH)).slice(0, MAX_TEXT_LENGTH);
  return { folded, plain: toPlain(folded) };
}

/**
 * Finds a number, with any separators between its characters, that is no part of a longer one: no digit touches its digits,
 * and no letter follows a letter. Other letters may touch it, since banks join the lines of a text without a space.
 */
const buildNumberPattern = (plain: string): RegExp =>
  new RegExp(
    `${/^\p{N}/u.test(plain) ? String.raw`(?<!\p{N})` : ''}${[...plain].join(String.raw`[^\p{L}\p{N}]*`)}` +
      (/\p{N}$/u.test(plain) ? String.raw`(?!\p{N})` : String.raw`(?!\p{L})`),
    'u',
  );

export function namesNumber(text: SearchedText, number: string): boolean {
  const plain = toPlain(fold(number));
  return (
    plain.length >= MIN_REFERENCE_LENGTH &&
    // Excludes most documents with less effort than the pattern.
    text.plain.includes(plain) &&
    buildNumberPattern(plain).test(text.folded)
  );
}

/** Whether a text names a document number, also with other separators. */
export const namesDocument = (text: string, number: string): boolean => namesNumber(prepareText(text), number);
