import { compareWithPrint, quoteStatement } from '../../../domain/identity/documents/agreement';
import type { MachineValue, PrintedText } from '../../../domain/identity/documents/agreement';
import { parsePrintedDates } from '../../../domain/identity/documents/printed-dates';
import type { TextLine } from '../text/detector';
import type { RecognisedLine } from '../text/line-reader';
import type { DetectedZone } from './mrz-reader';
import { filterReadableLines, findPrintedFields, isBelowCaption, isCaption, isRightOfCaption } from './visual-zone';
import { listZoneValues } from './zone-values';

/** Height of a line with a value in heights of the rows of the zone: 98.8 % of values are higher, captions are not. */
const MIN_VALUE_HEIGHT = 0.65;

/** This many values must agree with print, among them the names, which no check digit covers. */
const MIN_CONFIRMED = 4;
const NAMES: readonly string[] = ['lastName', 'firstName'];
/** Until print states these, further lines are read that are short enough for a number or a date. */
const IDENTIFYING: readonly string[] = [...NAMES, 'documentNumber', 'dateOfBirth'];
/** Length of a line with a number or a date in heights of the line. */
const MAX_SHORT_RATIO = 11;

/** Length of a caption in up to three languages, in heights of the line; longer lines are titles. */
const MAX_CAPTION_RATIO = 26;

/** Passport pages and visas; a card also has an address, so all of its lines of the size of values are read. */
const PAGE_FORMATS: readonly string[] = ['TD3', 'MRVA', 'MRVB'];

/** Cards whose zone is on the back, as ICAO Doc 9303 part 5 has it: names, number and dates are printed on the front. */
const BACK_FORMATS: readonly string[] = ['TD1'];

/** The words of a name, since long ones are printed in several lines; only the last word may be truncated. */
const splitName = (name: MachineValue): MachineValue[] =>
  name.value.split(' ').map((value, index, words) => ({
    ...name,
    value,
    truncated: name.truncated === true && index === words.length - 1,
  }));

/** The values of a zone that no line of print has stated so far. */
class Confirmation {
  private pending: readonly { value: MachineValue; words: MachineValue[] }[];
  private confirmed = 0;

  constructor(values: readonly MachineValue[]) {
    this.pending = values.map((value) => ({ value, words: NAMES.includes(value.name) ? splitName(value) : [value] }));
  }

  add({ text }: RecognisedLine): void {
    this.pending = this.pending.flatMap(({ value, words }) => {
      const missing = words.filter((word) => quoteStatement(word, text) === null);
      if (missing.length > 0 && quoteStatement(value, text) === null) return [{ value, words: missing }];
      this.confirmed += 1;
      return [];
    });
  }

  private isAnyPending(names: readonly string[]): boolean {
    return this.pending.some(({ value: { name } }) => names.includes(name));
  }

  get isSufficient(): boolean {
    return this.confirmed >= MIN_CONFIRMED && !this.isAnyPending(NAMES);
  }

  /** @param ratio length of the next line in heights of it */
  isEnough(ratio: number): boolean {
    return this.isSufficient && (ratio > MAX_SHORT_RATIO || !this.isAnyPending(IDENTIFYING));
  }
}

const computeRatio = ({ length, height }: TextLine): number => length / height;

/** Whether a line states something else than the values of the zone: a further date, or words. */
const isUnexplained = ({ text }: RecognisedLine, values: readonly MachineValue[]): boolean =>
  (parsePrintedDates(text).length > 0 || /\p{L}{3}/u.test(text)) &&
  !isCaption(text) &&
  values.every((value) => quoteStatement(value, text) === null);

/** The line that may be the caption of a value: the nearest one above it or to its left. */
function findCaptionLine(value: RecognisedLine, lines: readonly TextLine[]): TextLine | null {
  const computeDistance = (line: TextLine): number => Math.hypot(value.x - line.x, value.y - line.y);
  const [nearest] = lines
    .filter((line) => computeRatio(line) <= MAX_CAPTION_RATIO)
    .filter((line) => isBelowCaption(value, line) || isRightOfCaption(value, line))
    .sort((a, b) => computeDistance(a) - computeDistance(b));
  return nearest ?? null;
}

/** Whether print contradicts a value of the zone. */
function isContradicted(values: readonly MachineValue[], lines: readonly RecognisedLine[]): boolean {
  const captioned = findPrintedFields(lines, false);
  return values.some((value) => compareWithPrint<PrintedText>(value, captioned, lines)?.agrees === false);
}

/** The lines of a page, as far as confirming a zone needs them. */
interface PrintReader {
  read(line: TextLine): Promise<{ read: RecognisedLine }>;
  readAll(): Promise<{ read: RecognisedLine[] }>;
  listRead(): { read: RecognisedLine[] };
  listUnread(): TextLine[];
}

/**
 * Reads the print next to a verified zone: lines of the size of values, then the captions of those that state something
 * else. Of a passport page or visa only as many lines, the shortest first, as confirm the zone. If print should confirm
 * the zone and does not, or contradicts it, all of it is read.
 */
export async function readConfirmingPrint(
  text: PrintReader,
  zone: Pick<DetectedZone, 'parsed' | 'rows' | 'parts'>,
): Promise<RecognisedLine[]> {
  const { format } = zone.parsed;
  const isPage = PAGE_FORMATS.includes(format);
  const values = listZoneValues(zone.parsed);
  const confirmation = new Confirmation(values);
  const listPrint = (): RecognisedLine[] =>
    filterReadableLines(text.listRead().read.filter((line) => !zone.parts.includes(line)));
  for (const line of listPrint()) confirmation.add(line);
  const minHeight = MIN_VALUE_HEIGHT * (zone.rows[0]?.height ?? 0);
  const candidates = text
    .listUnread()
    .filter(({ height }) => height >= minHeight)
    .sort((a, b) => computeRatio(a) - computeRatio(b));
  for (const line of candidates) {
    if (isPage && confirmation.isEnough(computeRatio(line))) break;
    for (const readable of filterReadableLines([(await text.read(line)).read])) confirmation.add(readable);
  }
  if (!BACK_FORMATS.includes(format) && !confirmation.isSufficient) return (await text.readAll()).read;
  for (const value of listPrint().filter((line) => isUnexplained(line, values))) {
    const caption = findCaptionLine(value, text.listUnread());
    if (caption !== null) await text.read(caption);
  }
  return isContradicted(values, listPrint()) ? (await text.readAll()).read : text.listRead().read;
}
