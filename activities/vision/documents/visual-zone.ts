import {
  detectPrintedType,
  parseCaption,
  parseLicenceCaption,
  parseLicenceLine,
  resolveLicenceNumber,
} from '../../../domain/identity/documents/labels';
import type { Caption } from '../../../domain/identity/documents/labels';
import { CONTRADICTION_CONFIDENCE } from '../../../domain/identity/documents/agreement';
import type { CaptionedText } from '../../../domain/identity/documents/agreement';
import { isImpossibleDate, isUnknownDay, parsePrintedDates } from '../../../domain/identity/documents/printed-dates';
import type { FieldName } from '../../../domain/identity/documents/result';
import type { TextLine } from '../text/detector';
import type { RecognisedLine } from '../text/line-reader';

/** A value printed below or next to a caption. */
export interface PrintedField extends CaptionedText {
  line: RecognisedLine;
}

/** Lines with a lower confidence are guilloche or hardly readable. */
const MIN_READABLE_CONFIDENCE = 0.6;

const leftEdge = ({ x, length }: TextLine): number => x - length / 2;

/** Captions of what is no field here, but ends the value above. */
const OTHER_CAPTION =
  /gr[öo][ßs]+e\b|height|taille|augenfarbe|colou?r of eyes|couleur des yeux|authority|beh[öo]rde|autorit[éeà]|issued by|ausstellende|wohnort|signature|unterschrift/i;

/** Whether a text is the caption of a field, or the number of one. */
export const isCaption = (text: string): boolean =>
  OTHER_CAPTION.test(text) || parseCaption(text) !== null || /^\d{1,2}[a-d]?[.:]?$/.test(text.trim());

/** Whether a line is next to a caption, where its value may be. */
export const isRightOfCaption = (line: TextLine, caption: TextLine): boolean =>
  Math.abs(line.y - caption.y) < 0.6 * caption.height &&
  leftEdge(line) > caption.x + caption.length / 2 - caption.height;

/** Whether a line is below a caption, in its column, where its value may be. */
export function isBelowCaption(line: TextLine, caption: TextLine): boolean {
  const dy = (line.y - caption.y) / caption.height;
  return (
    dy > 0.5 &&
    dy < 3.2 &&
    leftEdge(line) < caption.x + caption.length / 2 &&
    line.x + line.length / 2 > leftEdge(caption) - caption.height
  );
}

/** The line with the value of a caption: the nearest one below in its column or to its right. */
function findCaptionValue(caption: RecognisedLine, lines: readonly RecognisedLine[]): RecognisedLine | null {
  let best: { line: RecognisedLine; distance: number } | null = null;
  for (const line of lines) {
    if (line === caption || isCaption(line.text)) continue;
    const isRightOf = isRightOfCaption(line, caption);
    if (!isRightOf && !isBelowCaption(line, caption)) continue;
    const dy = (line.y - caption.y) / caption.height;
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

/** Maximum number of lines of an address. */
const MAX_ADDRESS_LINES = 4;

/** The lines that continue an address: directly below one another at the same left edge, up to the next caption. */
function listAddressLines(first: RecognisedLine, lines: readonly RecognisedLine[]): RecognisedLine[] {
  const block = [first];
  for (const line of [...lines].sort((a, b) => a.y - b.y)) {
    const last = block.at(-1) ?? first;
    const dy = (line.y - last.y) / last.height;
    const sameColumn = Math.abs(leftEdge(line) - leftEdge(first)) < 1.5 * first.height;
    if (dy < 0.4 || !sameColumn) continue;
    if (dy > 1.9 || isCaption(line.text) || parseLicenceCaption(line.text) !== null) break;
    block.push(line);
    if (block.length === MAX_ADDRESS_LINES) break;
  }
  return block;
}

/** The value of a caption as printed in the same line, or as found next to or below it. */
function readCaptionValue(
  { name, rest }: Caption,
  line: RecognisedLine,
  lines: readonly RecognisedLine[],
): PrintedField | null {
  const sameLine = rest !== '';
  const value = sameLine ? line : findCaptionValue(line, lines);
  if (value === null || (sameLine && parseCaption(rest) !== null)) return null;
  const continued = name === 'address' ? listAddressLines(value, lines).slice(1) : [];
  const text = [sameLine ? rest : value.text, ...continued.map((one) => one.text)].map((one) => one.trim()).join(', ');
  return { name, text, confidence: value.confidence, sameLine, line: value };
}

/** The text below or next to each caption, without validation. */
function findCaptionedFields(lines: readonly RecognisedLine[], isLicence: boolean): PrintedField[] {
  const readable = filterReadableLines(lines);
  const numbered = isLicence || readable.some(({ text }) => detectPrintedType(text) === 'driving_licence');
  const found = readable.map((line) => {
    const captions = numbered ? parseLicenceLine(line.text) : [];
    return { line, captions: captions.length > 0 ? captions : [parseCaption(line.text) ?? []].flat() };
  });
  const hasCardNumber = found.some(({ captions }) => captions.some(({ number }) => number === '5'));
  return found.flatMap(({ line, captions }) =>
    captions.flatMap((caption) => readCaptionValue(resolveLicenceNumber(caption, hasCardNumber), line, readable) ?? []),
  );
}

/**
 * Valid values found by their captions, the first one of each field.
 *
 * @param isLicence true if the document is known to be a driving licence, whose captions may be numbers alone
 */
export function findPrintedFields(lines: readonly RecognisedLine[], isLicence: boolean): PrintedField[] {
  const fitting = findCaptionedFields(lines, isLicence).filter(
    ({ name, text }) => VALUE_CHECKS[name]?.(text) ?? text.length > 1,
  );
  return fitting.filter(({ name }, index) => fitting.findIndex((other) => other.name === name) === index);
}

/** Fields whose values are dates. */
export const DATE_FIELDS: readonly FieldName[] = ['dateOfBirth', 'issueDate', 'expiryDate'];

/** Whether print with the caption of a date states a date that does not exist. Only a birth may have an unknown day. */
export const printsImpossibleDate = (lines: readonly RecognisedLine[]): boolean =>
  findCaptionedFields(lines, false).some(
    ({ name, text, confidence }) =>
      DATE_FIELDS.includes(name) &&
      confidence >= CONTRADICTION_CONFIDENCE &&
      isImpossibleDate(text) &&
      !(name === 'dateOfBirth' && isUnknownDay(text)),
  );

/** Lines with sufficient confidence to compare values with. */
export const filterReadableLines = (lines: readonly RecognisedLine[]): RecognisedLine[] =>
  lines.filter(({ confidence, text }) => confidence >= MIN_READABLE_CONFIDENCE && text.trim() !== '');
