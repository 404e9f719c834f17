import type { Rotation } from '../../../domain/identity/biometrics/result';
import { issuerNamedIn } from '../../../domain/identity/documents/aamva-issuers';
import type { AamvaIssuer } from '../../../domain/identity/documents/aamva-issuers';
import { printedType, typeOfCode } from '../../../domain/identity/documents/labels';
import { RECAPTURE_LIMITS } from '../../../domain/identity/documents/recapture';
import type { BarcodeReading, DocumentResult, FieldName, MrzReading } from '../../../domain/identity/documents/result';
import { documentRisks, DOCUMENT_LIMITS } from '../../../domain/identity/documents/risks';
import { ageOn } from '../../../domain/identity/documents/mrz/dates';
import { isoStateOf } from '../../../domain/identity/documents/mrz/states';
import { verdictOf } from '../../../domain/identity/checks/risks';
import type { Networks } from '../inference/sessions';
import type { VisionTasks } from '../inference/tasks';
import { usesOf } from '../manifest';
import { readBarcode } from './barcode';
import { boxOfLine, collectFields } from './fields';
import type { FoundZone } from './mrz-reader';
import { readSide } from './side';
import type { JudgedSide } from './side';
import { printsImpossibleDate } from './visual-zone';
import { sentTwice, showTwoDocuments } from './sides-together';

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

/** What the machines read, who the print names as issuer, and all of the print. */
interface Readings {
  /** the side whose quality stands for the document's */
  main: JudgedSide;
  zone: ZoneOf | null;
  barcode: BarcodeReading | null;
  issuer: AamvaIssuer | null;
  print: string;
}

/** What the sides together say; `today` is YYYY-MM-DD. */
function factsOf(sides: readonly JudgedSide[], { main, zone, barcode, issuer, print }: Readings, today: string): Facts {
  const dateOrder = (barcode?.aamva?.fields.country ?? issuer?.country) === 'USA' ? 'month-first' : 'day-first';
  const fields = collectFields(sides, { zone, barcode }, { today, dateOrder });
  const value = (name: FieldName): string | null => fields.find((field) => field.name === name)?.value ?? null;
  const read = zone?.zone.parsed.fields;
  const dateOfBirth = value('dateOfBirth');
  const sex = value('sex');
  return {
    documentType:
      (read && typeOfCode(read.documentCode, read.issuingState)) ?? barcode?.aamva?.documentType ?? printedType(print),
    issuingState: read?.issuingState
      ? isoStateOf(read.issuingState)
      : (barcode?.aamva?.fields.country ?? issuer?.country ?? null),
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
    barcode,
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
    thresholds: { ...DOCUMENT_LIMITS, ...RECAPTURE_LIMITS },
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

/** Where its print names a state or province that prints barcodes on licences and cards, who issued the document. */
function issuerOf(print: string): AamvaIssuer | null {
  const type = printedType(print);
  // Names such as Georgia's are those of states with identity cards of another kind too.
  const american = type === 'identity_card' && /identification card|\b(USA|CANADA)\b|united states/i.test(print);
  return type === 'driving_licence' || american ? issuerNamedIn(print) : null;
}

/**
 * Reads an identity document from one or two images, each the right way up or not, in either order, or both sides in one.
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
  const zones = sides
    .flatMap((from) => from.page.zones.map((zone): ZoneOf => ({ from, zone })))
    .sort((a, b) => b.zone.worth - a.zone.worth);
  const [zone = null] = zones;
  const print = printOf(sides);
  const issuer = zone === null ? issuerOf(print) : null;
  // What carries a zone needs no barcode, and looking for one takes its time.
  const barcode = zone === null || printedType(print) === 'driving_licence' ? await readBarcode(sides) : null;
  const facts = factsOf(sides, { main: zone?.from ?? first, zone, barcode, issuer, print }, today);
  const risks = documentRisks(
    facts,
    {
      impossibleDate:
        (zone !== null && hasImpossibleDate(zone)) || sides.some(({ page }) => printsImpossibleDate(page.read)),
      twoDocuments: showTwoDocuments(sides, zones, facts),
      barcodeExpected: issuer !== null && issuer.country !== 'MEX',
      sameSideTwice: sentTwice(sides, facts),
      recognised:
        zone !== null ||
        barcode !== null ||
        (facts.portrait !== null && print.length > MIN_PRINT) ||
        printedType(print) !== null,
      captures: sides.map(({ capture }) => capture),
      sides: sides.length,
    },
    today,
  );
  return { ...facts, risks, status: verdictOf(risks) };
}
