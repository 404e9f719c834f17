import { CONTRADICTION_CONFIDENCE, contradicts, statedIn } from '../../../domain/identity/documents/agreement';
import type { AamvaData } from '../../../domain/identity/documents/aamva';
import { printedDates } from '../../../domain/identity/documents/printed-dates';
import type { DateOrder } from '../../../domain/identity/documents/printed-dates';
import type { BarcodeReading, DocumentField, DocumentSide, FieldName } from '../../../domain/identity/documents/result';
import type { Box } from '../../../domain/identity/biometrics/result';
import { MRZ_LAYOUTS } from '../../../domain/identity/documents/mrz/format';
import type { MrzFieldKey } from '../../../domain/identity/documents/mrz/format';
import { boxInImage } from '../imaging/coordinates';
import type { Sized } from '../imaging/coordinates';
import type { TextLine } from '../text/detector';
import type { ReadLine } from '../text/page';
import type { ReadPage } from './mrz-page';
import type { FoundZone } from './mrz-reader';
import { extended } from './mrz-rows';
import { printedFields, readableLines } from './visual-zone';
import type { PrintedField } from './visual-zone';

/** One side of a document as read. */
export interface ReadSide {
  side: DocumentSide;
  page: ReadPage;
  image: Sized;
}

/** The upright rectangle around a line, in pixels of the image as sent. */
export function boxOfLine(line: TextLine, { page, image }: ReadSide): Box {
  const [cos, sin] = [Math.abs(Math.cos(line.angle)), Math.abs(Math.sin(line.angle))];
  const width = line.length * cos + line.height * sin;
  const height = line.length * sin + line.height * cos;
  return boxInImage({ x: line.x - width / 2, y: line.y - height / 2, width, height }, page.turn, image);
}

const MRZ_KEYS: readonly (readonly [FieldName, MrzFieldKey])[] = [
  ['documentNumber', 'documentNumber'],
  ['lastName', 'name'],
  ['firstName', 'name'],
  ['dateOfBirth', 'dateOfBirth'],
  ['sex', 'sex'],
  ['nationality', 'nationality'],
  ['expiryDate', 'expiryDate'],
  ['personalNumber', 'optional1'],
];

const rounded = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** The zone's fields with the place and certainty of each; `agrees` still open. */
function zoneFields(zone: FoundZone, from: ReadSide): DocumentField[] {
  const { fields, format, checkDigits } = zone.parsed;
  const layout = MRZ_LAYOUTS[format];
  return MRZ_KEYS.flatMap(([name, key]): DocumentField[] => {
    const value = fields[name as keyof typeof fields];
    const place = layout.fields[key];
    const row = place && zone.rows[place.line];
    if (typeof value !== 'string' || place === undefined || row === undefined) return [];
    const certainty = zone.confidences[place.line]?.slice(place.start, place.end) ?? [];
    const mean = certainty.reduce((sum, part) => sum + part, 0) / Math.max(1, certainty.length);
    const digit = checkDigits.find((check) => check.name === name);
    const line = extended(row, place.start / layout.lineLength, place.end / layout.lineLength);
    const confidence = rounded(mean * (digit?.valid === false ? 0.5 : 1));
    return [{ name, value, source: 'mrz', confidence, side: from.side, box: boxOfLine(line, from), agrees: null }];
  });
}

const BARCODE_NAMES = [
  'documentNumber',
  'lastName',
  'firstName',
  'dateOfBirth',
  'sex',
  'issueDate',
  'expiryDate',
] as const;

/** The street, then the town with its state and code: one line, as results state addresses. */
function addressOf({ street, city, region, postalCode }: AamvaData['fields']): string | null {
  const parts = [street, city, [region, postalCode].filter((part) => part !== null).join(' ')];
  return parts.filter((part) => part !== null && part !== '').join(', ') || null;
}

/** What the barcode states: error correction leaves it certain or unread. */
function barcodeFields({ aamva, side, box }: BarcodeReading): DocumentField[] {
  if (aamva === null) return [];
  const values: [FieldName, string | null][] = BARCODE_NAMES.map((name) => [name, aamva.fields[name]]);
  values.push(['address', addressOf(aamva.fields)]);
  return values.flatMap(([name, value]): DocumentField[] =>
    value === null ? [] : [{ name, value, source: 'barcode', confidence: 1, side, box, agrees: null }],
  );
}

/** How a document is read where its print leaves a choice. */
export interface ReadingContext {
  /** YYYY-MM-DD */
  today: string;
  dateOrder: DateOrder;
}

/** A printed value in the form results use; null where it cannot be one. */
function normalised(name: FieldName, text: string, { today, dateOrder }: ReadingContext): string | null {
  switch (name) {
    case 'dateOfBirth':
      return printedDates(text, dateOrder).find((date) => date <= today) ?? null;
    case 'issueDate': {
      // Two-digit years are those of the past; a year in full is taken at its word, for the rules to object to.
      const dates = printedDates(text, dateOrder);
      return dates.find((date) => date <= today) ?? dates[0] ?? null;
    }
    case 'expiryDate':
      return printedDates(text, dateOrder)[0] ?? null;
    case 'documentNumber':
      return text.toUpperCase().replace(/\s+/g, '');
    case 'sex':
      return /\b([MFX])\b/i.exec(text)?.[1]?.toUpperCase() ?? null;
    case 'nationality':
      return /\b([A-Z]{3})\b/.exec(text)?.[1] ?? null;
    case 'firstName':
    case 'lastName':
    case 'personalNumber':
    case 'placeOfBirth':
    case 'address':
      return text;
  }
}

interface PrintOf {
  from: ReadSide;
  lines: ReadLine[];
  captioned: PrintedField[];
}

/** A field of zone or barcode with what print says of it: its own entry, and the printed one where there is any. */
function compared(field: DocumentField, print: readonly PrintOf[], context: ReadingContext): DocumentField[] {
  const { name, value } = field;
  const [match] = print
    .flatMap(({ from, lines, captioned }) => [
      ...lines.filter(({ text }) => statedIn(name, value, text)).map((line) => ({ from, line })),
      // A short caption may be read as one word with its value.
      ...captioned.filter(({ text }) => statedIn(name, value, text)).map(({ line }) => ({ from, line })),
    ])
    .sort((a, b) => b.line.confidence - a.line.confidence);
  if (match !== undefined) {
    return [{ ...field, agrees: true }, visualField(name, value, match.line, match.from, true)];
  }
  const [captioned] = print.flatMap(({ from, captioned: list }) =>
    list.filter((printed) => printed.name === name).map((printed) => ({ from, ...printed })),
  );
  const against =
    captioned !== undefined &&
    captioned.confidence >= CONTRADICTION_CONFIDENCE &&
    contradicts(name, value, captioned.text);
  const printed = against ? normalised(name, captioned.text, context) : null;
  return [
    { ...field, agrees: against ? false : null },
    ...(against && printed !== null ? [visualField(name, printed, captioned.line, captioned.from, false)] : []),
  ];
}

function visualField(
  name: FieldName,
  value: string,
  line: ReadLine,
  from: ReadSide,
  agrees: boolean | null,
): DocumentField {
  const confidence = rounded(line.confidence);
  return { name, value, source: 'visual', confidence, side: from.side, box: boxOfLine(line, from), agrees };
}

/** What machines read of a document: its zone, with the side it is on, and its barcode. */
export interface MachineReadings {
  zone: { from: ReadSide; zone: FoundZone } | null;
  barcode: BarcodeReading | null;
}

/**
 * Fields of all sides: the zone's, the barcode's, what is printed under captions, and for every field in both whether
 * they agree. A value found anywhere in print agrees; one that is nowhere, while its caption plainly shows another, does
 * not.
 */
export function collectFields(
  sides: readonly ReadSide[],
  { zone, barcode }: MachineReadings,
  context: ReadingContext,
): DocumentField[] {
  const print = sides.map((from): PrintOf => {
    const lines = from.page.read.filter((line) => !from.page.zones.some(({ parts }) => parts.includes(line)));
    return { from, lines: readableLines(lines), captioned: printedFields(lines) };
  });
  const machine = [
    ...(zone === null ? [] : zoneFields(zone.zone, zone.from)),
    ...(barcode === null ? [] : barcodeFields(barcode)),
  ];
  const fields = machine.flatMap((field) => compared(field, print, context));
  for (const { from, captioned } of print) {
    for (const { name, text, line } of captioned) {
      const value = fields.some((field) => field.name === name) ? null : normalised(name, text, context);
      if (value !== null) fields.push(visualField(name, value, line, from, null));
    }
  }
  return fields;
}
