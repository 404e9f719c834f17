import { CONTRADICTION_CONFIDENCE, contradicts, statedIn } from '../../../domain/identity/documents/agreement';
import { printedDates } from '../../../domain/identity/documents/printed-dates';
import type { DocumentField, DocumentSide, FieldName } from '../../../domain/identity/documents/result';
import type { Box } from '../../../domain/identity/biometrics/result';
import { MRZ_LAYOUTS } from '../../../domain/identity/mrz/format';
import type { MrzFieldKey } from '../../../domain/identity/mrz/format';
import { boxInImage } from '../imaging/coordinates';
import type { Sized } from '../imaging/coordinates';
import type { TextLine } from '../text/detector';
import type { ReadPage } from './mrz-page';
import type { FoundZone } from './mrz-reader';
import { extended } from './mrz-rows';
import { printedFields, readableLines } from './visual-zone';

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

/** A printed value in the form results use; null where it cannot be one. */
function normalised(name: FieldName, text: string, today: string): string | null {
  switch (name) {
    case 'dateOfBirth':
      return printedDates(text).find((date) => date <= today) ?? null;
    case 'issueDate':
      return printedDates(text).find((date) => date <= today) ?? null;
    case 'expiryDate':
      return printedDates(text)[0] ?? null;
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

/**
 * Fields of all sides: the zone's, what is printed under captions, and for every field in both whether they agree. A
 * zone's value found anywhere in print agrees; one that is nowhere, while its caption plainly shows another, does not.
 */
export function collectFields(
  sides: readonly ReadSide[],
  zone: { from: ReadSide; zone: FoundZone } | null,
  today: string,
): DocumentField[] {
  const inZone = zone === null ? [] : zoneFields(zone.zone, zone.from);
  const printed = sides.flatMap((from) => {
    const lines = from.page.read.filter((line) => !from.page.zone?.parts.includes(line));
    return {
      from,
      lines: readableLines(lines),
      captioned: printedFields(lines),
    };
  });
  const fields: DocumentField[] = [];
  for (const field of inZone) {
    const stated = printed.flatMap(({ from, lines }) =>
      lines.filter(({ text }) => statedIn(field.name, field.value, text)).map((line) => ({ from, line })),
    );
    const [match] = stated.sort((a, b) => b.line.confidence - a.line.confidence);
    const captioned = printed.flatMap(({ from, captioned: list }) =>
      list.filter(({ name }) => name === field.name).map((value) => ({ from, ...value })),
    )[0];
    const against =
      match === undefined &&
      captioned !== undefined &&
      captioned.confidence >= CONTRADICTION_CONFIDENCE &&
      contradicts(field.name, field.value, captioned.text);
    fields.push({ ...field, agrees: match ? true : against ? false : null });
    const seen = match ?? (against ? captioned : undefined);
    const value = match ? field.value : captioned && normalised(field.name, captioned.text, today);
    if (seen && value) {
      fields.push({
        name: field.name,
        value,
        source: 'visual',
        confidence: rounded(seen.line.confidence),
        side: seen.from.side,
        box: boxOfLine(seen.line, seen.from),
        agrees: match !== undefined,
      });
    }
  }
  for (const { from, captioned } of printed) {
    for (const { name, text, confidence, line } of captioned) {
      if (fields.some((field) => field.name === name)) continue;
      const value = normalised(name, text, today);
      if (value === null) continue;
      const box = boxOfLine(line, from);
      fields.push({
        name,
        value,
        source: 'visual',
        confidence: rounded(confidence),
        side: from.side,
        box,
        agrees: null,
      });
    }
  }
  return fields;
}
