import type { Rotation } from '../../../domain/identity/biometrics/result';
import { printedType, typeOfCode } from '../../../domain/identity/documents/labels';
import type { DocumentResult, DocumentSide, FieldName, MrzReading } from '../../../domain/identity/documents/result';
import { documentRisks, DOCUMENT_LIMITS } from '../../../domain/identity/documents/risks';
import { ageOn } from '../../../domain/identity/mrz/dates';
import { isoStateOf } from '../../../domain/identity/mrz/states';
import { verdictOf } from '../../../domain/identity/risks';
import type { DecodedImage } from '../decoding/pool';
import { searchFaces } from '../faces/search';
import type { Networks } from '../inference/sessions';
import type { VisionTasks } from '../inference/tasks';
import { boxInImage } from '../imaging/coordinates';
import { usesOf } from '../manifest';
import { boxOfLine, collectFields } from './fields';
import type { ReadSide } from './fields';
import { readPage } from './mrz-page';
import type { ReadPage } from './mrz-page';
import type { FoundZone } from './mrz-reader';
import { assessPage } from './quality';
import type { PageQuality } from './quality';

interface JudgedSide extends ReadSide, PageQuality {
  portrait: DocumentResult['portrait'];
}

/** A face narrower than this share of the document is no portrait but part of the print. */
const MIN_PORTRAIT_SHARE = 0.06;

/** Width of the document in its picture, by its zone or its text: it may lie small on a table. */
function documentWidth({ zone, lines, picture }: ReadPage): number {
  if (zone !== null) return Math.max(...zone.rows.map(({ length }) => length));
  const left = Math.min(...lines.map(({ x, length }) => x - length / 2));
  const right = Math.max(...lines.map(({ x, length }) => x + length / 2));
  return lines.length < 3 ? picture.width : right - left;
}

async function readSide(
  networks: Networks,
  side: DocumentSide,
  image: DecodedImage,
  today: string,
): Promise<JudgedSide> {
  const page = await readPage(networks, image.raster, today);
  // The text says which way up the page is; without text any turn may be right.
  const turns = page.lines.length > 0 ? [page.turn] : undefined;
  const search = await searchFaces(networks, image.raster, { onDocument: true, ...(turns && { turns }) });
  // The largest face is the portrait: ghost images repeat it smaller.
  const face = search.faces.find(({ box }) => box.width >= MIN_PORTRAIT_SHARE * documentWidth(page));
  return {
    side,
    page,
    image,
    ...assessPage(page, image.fullWidth / image.raster.width),
    portrait: face
      ? { side, box: boxInImage(face.box, search.turn, image), confidence: Math.round(face.score * 1000) / 1000 }
      : null,
  };
}

interface ZoneOf {
  from: JudgedSide;
  zone: FoundZone;
}

function mrzReading({ from, zone }: ZoneOf): MrzReading {
  const { parsed, confidences, repaired, rows } = zone;
  const all = confidences.flat();
  const boxes = rows.map((row) => boxOfLine(row, from));
  const left = Math.min(...boxes.map(({ x }) => x));
  const top = Math.min(...boxes.map(({ y }) => y));
  return {
    format: parsed.format,
    side: from.side,
    lines: parsed.lines,
    fields: parsed.fields,
    checkDigits: parsed.checkDigits,
    valid: parsed.valid,
    repaired,
    confidence: Math.round((all.reduce((sum, value) => sum + value, 0) / Math.max(1, all.length)) * 1000) / 1000,
    box: {
      x: left,
      y: top,
      width: Math.max(...boxes.map(({ x, width }) => x + width)) - left,
      height: Math.max(...boxes.map(({ y, height }) => y + height)) - top,
    },
  };
}

/** The zone holds digits where a date stands, yet no such date exists. */
function hasImpossibleDate({ zone: { parsed } }: ZoneOf): boolean {
  const { dateOfBirth, expiryDate } = parsed.fields;
  const digits = (name: string): boolean =>
    parsed.checkDigits.some((check) => check.name === name && check.valid && check.printed !== '<');
  return (dateOfBirth === null && digits('dateOfBirth')) || (expiryDate === null && digits('expiryDate'));
}

const joinedName = (first: string | null, last: string | null): string | null =>
  first === null && last === null ? null : [first, last].filter((part) => part !== null).join(' ');

type Facts = Omit<DocumentResult, 'risks' | 'status'>;

/** What the sides together say; `today` is YYYY-MM-DD. */
function factsOf(sides: readonly JudgedSide[], main: JudgedSide, zone: ZoneOf | null, today: string): Facts {
  const fields = collectFields(sides, zone, today);
  const value = (name: FieldName): string | null => fields.find((field) => field.name === name)?.value ?? null;
  const read = zone?.zone.parsed.fields;
  const dateOfBirth = value('dateOfBirth');
  const sex = value('sex');
  return {
    documentType: (read && typeOfCode(read.documentCode, read.issuingState)) ?? printedType(printOf(sides)),
    issuingState: read?.issuingState ? isoStateOf(read.issuingState) : null,
    documentNumber: value('documentNumber'),
    personalNumber: value('personalNumber'),
    firstName: value('firstName'),
    lastName: value('lastName'),
    fullName: joinedName(value('firstName'), value('lastName')),
    dateOfBirth,
    age: dateOfBirth === null ? null : ageOn(dateOfBirth, today),
    sex: sex === 'F' || sex === 'M' || sex === 'X' ? sex : null,
    nationality: read?.nationality ? isoStateOf(read.nationality) : value('nationality'),
    issueDate: value('issueDate'),
    expiryDate: value('expiryDate'),
    placeOfBirth: value('placeOfBirth'),
    address: value('address'),
    mrz: zone === null ? null : mrzReading(zone),
    barcode: null,
    fields,
    // Sent the wrong way round, the portrait is on the image called back.
    portrait: sides.find(({ portrait }) => portrait !== null)?.portrait ?? null,
    quality: main.quality,
    sides: sides.map(({ side, image, page, quality }) => ({
      side,
      width: image.fullWidth,
      height: image.fullHeight,
      rotation: page.turn satisfies Rotation,
      quality,
    })),
    thresholds: { ...DOCUMENT_LIMITS },
    models: usesOf(
      'text_detector',
      'text_recogniser',
      'text_dictionary',
      'face_detector',
      'face_landmarks',
      'face_embedding',
    ),
  };
}

const printOf = (sides: readonly JudgedSide[]): string =>
  sides.flatMap(({ page }) => page.read.map(({ text }) => text)).join('\n');

/** Fewer characters of print than this beside a face are no document. */
const MIN_PRINT = 40;

/**
 * Reads an identity document from one or two images, each the right way up or not, in either order.
 *
 * @param input.today YYYY-MM-DD
 */
export async function readDocument(
  networks: Networks,
  { front, back, today }: VisionTasks['readDocument']['input'],
): Promise<DocumentResult> {
  const first = await readSide(networks, 'front', front, today);
  const sides = [first];
  if (back !== null) sides.push(await readSide(networks, 'back', back, today));
  const zones = sides.flatMap((from): ZoneOf[] => (from.page.zone ? [{ from, zone: from.page.zone }] : []));
  const [zone = null, other] = zones.sort((a, b) => b.zone.worth - a.zone.worth);
  const facts = factsOf(sides, zone?.from ?? first, zone, today);
  const print = printOf(sides);
  const numbers = zones.map(({ zone: { parsed } }) => parsed.fields.documentNumber);
  const risks = documentRisks(
    facts,
    {
      impossibleDate: zone !== null && hasImpossibleDate(zone),
      twoDocuments: other !== undefined && other.zone.parsed.valid && numbers[0] !== numbers[1],
      recognised: zone !== null || (facts.portrait !== null && print.length > MIN_PRINT) || printedType(print) !== null,
      chroma: Math.min(...sides.map(({ chroma }) => chroma)),
      sides: sides.length,
    },
    today,
  );
  return { ...facts, risks, status: verdictOf(risks) };
}
