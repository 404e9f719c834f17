import { parseCaption, parseLicenceCaption, detectPrintedType } from '../../../domain/identity/documents/labels';
import { CONTRADICTION_CONFIDENCE } from '../../../domain/identity/documents/agreement';
import { isImpossibleDate, parsePrintedDates } from '../../../domain/identity/documents/printed-dates';
import type { FieldName } from '../../../domain/identity/documents/result';
import type { RecognisedLine } from '../text/line-reader';

/** A value printed below or next to a caption. */
export interface PrintedField {
  name: FieldName;
  text: string;
  confidence: number;
  line: RecognisedLine;
}

/** Lines with a lower confidence are guilloche or hardly readable. */
const MIN_READABLE_CONFIDENCE = 0.6;

const leftEdge = ({ x, length }: RecognisedLine): number => x - length / 2;

/** The line with the value of a caption: the nearest one below in its column or to its right. */
function findCaptionValue(caption: RecognisedLine, lines: readonly RecognisedLine[]): RecognisedLine | null {
  let best: { line: RecognisedLine; distance: number } | null = null;
  for (const line of lines) {
    if (line === caption || parseCaption(line.text) !== null) continue;
    const dy = (line.y - caption.y) / caption.height;
    const isRightOf = Math.abs(dy) < 0.6 && leftEdge(line) > caption.x + caption.length / 2 - caption.height;
    const isBelow =
      dy > 0.5 &&
      dy < 3.2 &&
      leftEdge(line) < caption.x + caption.length / 2 &&
      line.x + line.length / 2 > leftEdge(caption) - caption.height;
    if (!isRightOf && !isBelow) continue;
    const indent = Math.abs(leftEdge(line) - leftEdge(caption)) / caption.height;
    const distance = isRightOf ? (leftEdge(line) - caption.x - caption.length / 2) / caption.height : dy * 2 + indent;
    if (best === null || distance < best.distance) best = { line, distance };
  }
  return best?.line ?? null;
}

const VALUE_CHECKS: Partial<Record<FieldName, (text: string) => boolean>> = {
  dateOfBirth: (text) => parsePrintedDates(text).length > 0,
  expiryDate: (text) => parsePrintedDates(text).length > 0,
  issueDate: (text) => parsePrintedDates(text).length > 0,
  documentNumber: (text) => /\d{3}/.test(text) && /^[A-Z0-9 .\-/]{5,16}$/.test(text.toUpperCase()),
  personalNumber: (text) => /\d{3}/.test(text),
  sex: (text) => /\b[MFX]\b/i.test(text),
  firstName: (text) => /^[\p{L}\s.'’,-]{2,}$/u.test(text),
  lastName: (text) => /^[\p{L}\s.'’,-]{2,}$/u.test(text),
  placeOfBirth: (text) => /\p{L}{3}/u.test(text),
};

/** The text below or next to each caption, without validation. */
function findCaptionedFields(lines: readonly RecognisedLine[]): PrintedField[] {
  const readable = lines.filter(({ confidence }) => confidence >= MIN_READABLE_CONFIDENCE);
  const isLicence = readable.some(({ text }) => detectPrintedType(text) === 'driving_licence');
  return readable.flatMap((line): PrintedField[] => {
    const caption = (isLicence ? parseLicenceCaption(line.text) : null) ?? parseCaption(line.text);
    if (caption === null) return [];
    const value = caption.rest === '' ? findCaptionValue(line, readable) : line;
    const text = (caption.rest === '' ? value?.text : caption.rest)?.trim() ?? '';
    return value === null ? [] : [{ name: caption.name, text, confidence: value.confidence, line: value }];
  });
}

/** Valid values found by their captions, the first one of each field. */
export function findPrintedFields(lines: readonly RecognisedLine[]): PrintedField[] {
  const fitting = findCaptionedFields(lines).filter(({ name, text }) => VALUE_CHECKS[name]?.(text) ?? text.length > 1);
  return fitting.filter(({ name }, index) => fitting.findIndex((other) => other.name === name) === index);
}

const DATE_FIELDS: readonly FieldName[] = ['dateOfBirth', 'issueDate', 'expiryDate'];

/** Whether print with the caption of a date states a date that does not exist. */
export const printsImpossibleDate = (lines: readonly RecognisedLine[]): boolean =>
  findCaptionedFields(lines).some(
    ({ name, text, confidence }) =>
      DATE_FIELDS.includes(name) && confidence >= CONTRADICTION_CONFIDENCE && isImpossibleDate(text),
  );

/** Lines with sufficient confidence to compare values with. */
export const filterReadableLines = (lines: readonly RecognisedLine[]): RecognisedLine[] =>
  lines.filter(({ confidence, text }) => confidence >= MIN_READABLE_CONFIDENCE && text.trim() !== '');
