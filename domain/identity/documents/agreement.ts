import { distance } from 'fastest-levenshtein';
import { transliterate, stripAccents } from './mrz/names';
import type { FieldName } from './result';
import { parsePrintedDates } from './printed-dates';

/** Replaces letters and digits that look alike in print by one of them. */
const foldLookalikes = (text: string): string =>
  text
    .toUpperCase()
    .replace(/[^A-Z0-9]/g, '')
    .replace(/[OQD]/g, '0')
    .replace(/[IL]/g, '1')
    .replace(/Z/g, '2')
    .replace(/S/g, '5')
    .replace(/B/g, '8');

const splitNameVariants = (name: string): string[][] =>
  [transliterate(name), stripAccents(name)].map((text) => text.split(' ').filter((word) => word !== ''));

const isNear = (a: string, b: string): boolean => distance(a, b) <= (Math.max(a.length, b.length) >= 5 ? 1 : 0);

/** True if the printed text contains every word of a zone's name, with diacritics transliterated or dropped. */
function isNamePrinted(name: string, text: string): boolean {
  const expectedWords = name.split(' ').filter((word) => word !== '');
  return splitNameVariants(text).some((printed) =>
    expectedWords.every((word) => printed.some((other) => isNear(word, other))),
  );
}

/** True if a printed text contains the value of a field. */
export function isStatedIn(name: FieldName, value: string, text: string): boolean {
  switch (name) {
    case 'dateOfBirth':
    case 'expiryDate':
    case 'issueDate':
      return parsePrintedDates(text).includes(value);
    case 'documentNumber':
    case 'personalNumber':
      return value.length >= 4 && foldLookalikes(text).includes(foldLookalikes(value));
    case 'firstName':
    case 'lastName':
    case 'placeOfBirth':
      return isNamePrinted(value, text);
    case 'sex':
      // The letter alone, or twice for two languages: a letter between words is an initial or guilloche.
      return new RegExp(`^[^\\p{L}]*${value}([^\\p{L}]+\\p{L})?[^\\p{L}]*$`, 'u').test(text.toUpperCase());
    case 'nationality':
      return new RegExp(`\\b${value}\\b`).test(text.toUpperCase());
    case 'address':
      return text.includes(value);
  }
}

/** Confidence from which a printed value may contradict the zone; below it, print may have been misread. */
export const CONTRADICTION_CONFIDENCE = 0.9;

/**
 * True if a printed value of the right form differs from the zone's. Called only for values under the field's own
 * caption, after the zone's value was not found anywhere on the page.
 */
export function contradicts(name: FieldName, value: string, printed: string): boolean {
  switch (name) {
    case 'dateOfBirth':
    case 'expiryDate':
      return parsePrintedDates(printed).length > 0;
    case 'documentNumber': {
      const text = foldLookalikes(printed);
      return (
        text.length >= 6 && text.length <= 12 && /\d{3}/.test(printed) && distance(text, foldLookalikes(value)) > 1
      );
    }
    case 'firstName':
    case 'lastName': {
      const printedWords = splitNameVariants(printed)[1] ?? [];
      const expectedWords = value.split(' ');
      const similar = (a: string, b: string): boolean => distance(a, b) <= Math.max(a.length, b.length) / 2;
      return (
        printedWords.some((word) => word.length >= 3) &&
        !expectedWords.some((word) => printedWords.some((other) => similar(word, other)))
      );
    }
    case 'personalNumber':
    case 'issueDate':
    case 'placeOfBirth':
    case 'address':
    case 'sex':
    case 'nationality':
      return false;
  }
}
