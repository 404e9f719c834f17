import { compareWithPrint, quoteStatement } from '../../../domain/identity/documents/agreement';
import type { CaptionedText, PrintedText } from '../../../domain/identity/documents/agreement';
import type { AamvaData } from '../../../domain/identity/documents/aamva';
import { parsePrintedDates } from '../../../domain/identity/documents/printed-dates';
import type { DateOrder } from '../../../domain/identity/documents/printed-dates';
import type { BarcodeReading, DocumentField, DocumentSide, FieldName } from '../../../domain/identity/documents/result';
import type { Box } from '../../../domain/identity/biometrics/result';
import { MRZ_LAYOUTS } from '../../../domain/identity/documents/mrz/format';
import { isVerifiedZone } from '../../../domain/identity/documents/mrz/verification';
import { toImageBox } from '../imaging/coordinates';
import type { SizedImage } from '../imaging/coordinates';
import type { TextLine } from '../text/detector';
import type { RecognisedLine } from '../text/line-reader';
import type { RecognisedPage } from './mrz-page';
import type { DetectedZone } from './mrz-reader';
import { extendRow } from './mrz-rows';
import { DATE_FIELDS, findPrintedFields, filterReadableLines } from './visual-zone';
import type { PrintedField } from './visual-zone';
import { listZoneValues, MRZ_KEYS } from './zone-values';

/** One side of a document with its recognised text. */
export interface RecognisedSide {
  side: DocumentSide;
  page: RecognisedPage;
  image: SizedImage;
}

/** The bounding box of a line, in pixels of the image as uploaded. */
export function toLineBox(line: TextLine, { page, image }: RecognisedSide): Box {
  const [cos, sin] = [Math.abs(Math.cos(line.angle)), Math.abs(Math.sin(line.angle))];
  const width = line.length * cos + line.height * sin;
  const height = line.length * sin + line.height * cos;
  return toImageBox({ x: line.x - width / 2, y: line.y - height / 2, width, height }, page.turn, image);
}

const roundConfidence = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000;

/** Fields of the zone with bounding box and confidence; `agrees` is set later. */
function buildZoneFields(zone: DetectedZone, from: RecognisedSide): DocumentField[] {
  const { fields, format, checkDigits } = zone.parsed;
  const layout = MRZ_LAYOUTS[format];
  return MRZ_KEYS.flatMap(([name, key]): DocumentField[] => {
    const value = fields[name as keyof typeof fields];
    // The French card has a field for each part of the name.
    const range = layout.fields[key] ?? (name === 'lastName' || name === 'firstName' ? layout.fields[name] : undefined);
    const row = range && zone.rows[range.line];
    if (typeof value !== 'string' || range === undefined || row === undefined) return [];
    const confidences = zone.confidences[range.line]?.slice(range.start, range.end) ?? [];
    const mean = confidences.reduce((sum, part) => sum + part, 0) / Math.max(1, confidences.length);
    const digit = checkDigits.find((check) => check.name === name);
    const line = extendRow(row, range.start / layout.lineLength, range.end / layout.lineLength);
    const confidence = roundConfidence(mean * (digit?.valid === false ? 0.5 : 1));
    return [{ name, value, source: 'mrz', confidence, side: from.side, box: toLineBox(line, from), agrees: null }];
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

/** Formats an address as one line: street, city, state and postal code. */
function formatAddress({ street, city, region, postalCode }: AamvaData['fields']): string | null {
  const parts = [street, city, [region, postalCode].filter((part) => part !== null).join(' ')];
  return parts.filter((part) => part !== null && part !== '').join(', ') || null;
}

/** Fields of the barcode, with full confidence: error correction guarantees the content or fails. */
function buildBarcodeFields({ aamva, side, box }: BarcodeReading): DocumentField[] {
  if (aamva === null) return [];
  const values: [FieldName, string | null][] = BARCODE_NAMES.map((name) => [name, aamva.fields[name]]);
  values.push(['address', formatAddress(aamva.fields)]);
  return values.flatMap(([name, value]): DocumentField[] =>
    value === null ? [] : [{ name, value, source: 'barcode', confidence: 1, side, box, agrees: null }],
  );
}

/** Context for interpreting ambiguous print. */
export interface ReadingContext {
  /** YYYY-MM-DD; a date after it is in the future */
  latest: string;
  dateOrder: DateOrder;
}

/** Normalises a printed value to the form used in results; null if it is not a value of the field. */
function normaliseValue(name: FieldName, text: string, { latest, dateOrder }: ReadingContext): string | null {
  switch (name) {
    case 'dateOfBirth':
      return parsePrintedDates(text, dateOrder).find((date) => date <= latest) ?? null;
    case 'issueDate': {
      // Two-digit years are resolved to the past. A date in the future with a four-digit year is kept for the risk
      // rules.
      const dates = parsePrintedDates(text, dateOrder);
      return dates.find((date) => date <= latest) ?? dates[0] ?? null;
    }
    case 'expiryDate':
      return parsePrintedDates(text, dateOrder)[0] ?? null;
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

interface SidePrint {
  from: RecognisedSide;
  lines: RecognisedLine[];
  captioned: PrintedField[];
}

/** A line of print, or a value by its caption, with its place. */
type PlacedText = PrintedText & { line: RecognisedLine; from: RecognisedSide };

const placeLines = ({ from, lines }: SidePrint): PlacedText[] =>
  lines.map((line) => ({ text: line.text, confidence: line.confidence, line, from }));

const placeCaptioned = ({ from, captioned }: SidePrint): (PlacedText & CaptionedText)[] =>
  captioned.map((value) => ({ ...value, from }));

/** Compares a field of zone or barcode with the print: returns its entry and that of the printed value, if any. */
function addComparison(
  field: DocumentField,
  print: readonly SidePrint[],
  { context, truncated }: { context: ReadingContext; truncated: boolean },
): DocumentField[] {
  const { name, value } = field;
  const found = compareWithPrint<PlacedText>(
    { name, value, truncated },
    print.flatMap(placeCaptioned),
    print.flatMap(placeLines),
  );
  if (found === null) return [field];
  const { agrees, source, text } = found;
  // Ambiguous print of the same date is that date.
  const isSameDate = agrees && DATE_FIELDS.includes(name);
  const printed = isSameDate ? value : normaliseValue(name, text, context);
  const compared = { ...field, agrees };
  return printed === null ? [compared] : [compared, buildVisualField(name, printed, source.line, source.from, agrees)];
}

function buildVisualField(
  name: FieldName,
  value: string,
  line: RecognisedLine,
  from: RecognisedSide,
  agrees: boolean | null,
): DocumentField {
  const confidence = roundConfidence(line.confidence);
  return { name, value, source: 'visual', confidence, side: from.side, box: toLineBox(line, from), agrees };
}

/** The machine-readable data of a document: its zone, with the side it is on, and its barcode. */
export interface MachineReadings {
  zone: { from: RecognisedSide; zone: DetectedZone } | null;
  barcode: BarcodeReading | null;
}

/** Marks fields of a barcode that a verified zone contradicts. */
const markContradictedBarcode = (barcode: readonly DocumentField[], zone: readonly DocumentField[]): DocumentField[] =>
  barcode.map((field) => {
    const same = zone.find(({ name }) => name === field.name);
    const isStated = same === undefined || quoteStatement(same, field.value) !== null || same.value === field.value;
    return isStated ? field : { ...field, agrees: false };
  });

/**
 * Collects the fields of zone, barcode and print, and whether they agree: values of a zone or barcode are compared with
 * print, and those of a barcode with a verified zone.
 */
export function collectFields(
  sides: readonly RecognisedSide[],
  { zone, barcode }: MachineReadings,
  context: ReadingContext,
): DocumentField[] {
  const isLicence = barcode?.aamva?.documentType === 'driving_licence';
  const print = sides.map((from): SidePrint => {
    const lines = from.page.read.filter((line) => zone?.zone.parts.includes(line) !== true);
    return { from, lines: filterReadableLines(lines), captioned: findPrintedFields(lines, isLicence) };
  });
  const zoneFields = zone === null ? [] : buildZoneFields(zone.zone, zone.from);
  const truncatedNames = (zone === null ? [] : listZoneValues(zone.zone.parsed)).filter(({ truncated }) => truncated);
  const compare = (field: DocumentField): DocumentField[] => {
    const truncated = field.source === 'mrz' && truncatedNames.some(({ name }) => name === field.name);
    return addComparison(field, print, { context, truncated });
  };
  const barcodeFields = (barcode === null ? [] : buildBarcodeFields(barcode)).flatMap(compare);
  const fields = [
    ...zoneFields.flatMap(compare),
    ...(zone !== null && isVerifiedZone(zone.zone.parsed)
      ? markContradictedBarcode(barcodeFields, zoneFields)
      : barcodeFields),
  ];
  for (const { from, captioned } of print) {
    for (const { name, text, line } of captioned) {
      const isKnown = fields.some((field) => field.name === name && field.source === 'visual');
      const isConfirmed = fields.some((field) => field.name === name && field.agrees === true);
      const value = isKnown || isConfirmed ? null : normaliseValue(name, text, context);
      if (value !== null) fields.push(buildVisualField(name, value, line, from, null));
    }
  }
  return fields;
}
