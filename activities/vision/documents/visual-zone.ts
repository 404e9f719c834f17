import { captionOf, licenceCaptionOf, printedType } from '../../../domain/identity/documents/labels';
import { CONTRADICTION_CONFIDENCE } from '../../../domain/identity/documents/agreement';
import { isImpossibleDate, printedDates } from '../../../domain/identity/documents/printed-dates';
import type { FieldName } from '../../../domain/identity/documents/result';
import type { ReadLine } from '../text/page';

/** A value printed under or beside a caption. */
export interface PrintedField {
  name: FieldName;
  text: string;
  confidence: number;
  line: ReadLine;
}

/** Lines this uncertain are guilloche or hardly readable. */
const READABLE = 0.6;

const left = ({ x, length }: ReadLine): number => x - length / 2;

/** The line that holds a caption's value: the nearest below in its column, or to its right. */
function valueOf(caption: ReadLine, lines: readonly ReadLine[]): ReadLine | null {
  let best: { line: ReadLine; distance: number } | null = null;
  for (const line of lines) {
    if (line === caption || captionOf(line.text) !== null) continue;
    const dy = (line.y - caption.y) / caption.height;
    const beside = Math.abs(dy) < 0.6 && left(line) > caption.x + caption.length / 2 - caption.height;
    const below =
      dy > 0.5 &&
      dy < 3.2 &&
      left(line) < caption.x + caption.length / 2 &&
      line.x + line.length / 2 > left(caption) - caption.height;
    if (!beside && !below) continue;
    const indent = Math.abs(left(line) - left(caption)) / caption.height;
    const distance = beside ? (left(line) - caption.x - caption.length / 2) / caption.height : dy * 2 + indent;
    if (best === null || distance < best.distance) best = { line, distance };
  }
  return best?.line ?? null;
}

const SHAPES: Partial<Record<FieldName, (text: string) => boolean>> = {
  dateOfBirth: (text) => printedDates(text).length > 0,
  expiryDate: (text) => printedDates(text).length > 0,
  issueDate: (text) => printedDates(text).length > 0,
  documentNumber: (text) => /\d{3}/.test(text) && /^[A-Z0-9 .\-/]{5,16}$/.test(text.toUpperCase()),
  personalNumber: (text) => /\d{3}/.test(text),
  sex: (text) => /\b[MFX]\b/i.test(text),
  firstName: (text) => /^[\p{L}\s.'’,-]{2,}$/u.test(text),
  lastName: (text) => /^[\p{L}\s.'’,-]{2,}$/u.test(text),
  placeOfBirth: (text) => /\p{L}{3}/u.test(text),
};

/** What stands under or beside each caption, whatever it is. */
function captioned(lines: readonly ReadLine[]): PrintedField[] {
  const readable = lines.filter(({ confidence }) => confidence >= READABLE);
  const licence = readable.some(({ text }) => printedType(text) === 'driving_licence');
  return readable.flatMap((line): PrintedField[] => {
    const caption = (licence ? licenceCaptionOf(line.text) : null) ?? captionOf(line.text);
    if (caption === null) return [];
    const value = caption.rest === '' ? valueOf(line, readable) : line;
    const text = (caption.rest === '' ? value?.text : caption.rest)?.trim() ?? '';
    return value === null ? [] : [{ name: caption.name, text, confidence: value.confidence, line: value }];
  });
}

/** Values found by their captions, the first of each field. */
export function printedFields(lines: readonly ReadLine[]): PrintedField[] {
  const fitting = captioned(lines).filter(({ name, text }) => SHAPES[name]?.(text) ?? text.length > 1);
  return fitting.filter(({ name }, index) => fitting.findIndex((other) => other.name === name) === index);
}

const DATES: readonly FieldName[] = ['dateOfBirth', 'issueDate', 'expiryDate'];

/** Print under the caption of a date states a day that no calendar has. */
export const printsImpossibleDate = (lines: readonly ReadLine[]): boolean =>
  captioned(lines).some(
    ({ name, text, confidence }) =>
      DATES.includes(name) && confidence >= CONTRADICTION_CONFIDENCE && isImpossibleDate(text),
  );

/** Text of the lines read well enough to compare with. */
export const readableLines = (lines: readonly ReadLine[]): ReadLine[] =>
  lines.filter(({ confidence, text }) => confidence >= READABLE && text.trim() !== '');
