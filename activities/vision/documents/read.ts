import type { CalendarDays } from '../../../domain/identity/calendar-days';
import type { Rotation } from '../../../domain/identity/biometrics/result';
import { findIssuerInText } from '../../../domain/identity/documents/aamva-issuers';
import type { AamvaIssuer } from '../../../domain/identity/documents/aamva-issuers';
import { selectValue } from '../../../domain/identity/documents/field-sources';
import { findLicenceState } from '../../../domain/identity/documents/licence-issuers';
import { resolvePrintedExpiry } from '../../../domain/identity/documents/permanent-validity';
import { isIdentityDocument } from '../../../domain/identity/documents/recognition';
import { detectPrintedType, getDocumentTypeByCode } from '../../../domain/identity/documents/labels';
import { RECAPTURE_LIMITS } from '../../../domain/identity/documents/recapture';
import type { BarcodeReading, DocumentResult, FieldName, MrzReading } from '../../../domain/identity/documents/result';
import { assessDocumentRisks, DOCUMENT_LIMITS } from '../../../domain/identity/documents/risks';
import { computeAge } from '../../../domain/identity/documents/mrz/dates';
import { isVerifiedZone, statesImpossibleDate } from '../../../domain/identity/documents/mrz/verification';
import { toIsoState } from '../../../domain/identity/documents/mrz/states';
import { computeVerdict } from '../../../domain/identity/checks/risks';
import type { Networks } from '../inference/networks';
import { runStage } from '../inference/stages';
import type { VisionTasks } from '../inference/tasks';
import { listModelUses } from '../manifest';
import { readBarcode } from './barcode';
import { toLineBox, collectFields } from './fields';
import type { DetectedZone } from './mrz-reader';
import { readSide } from './side';
import type { AssessedSide } from './side';
import { printsImpossibleDate } from './visual-zone';
import { isSameSideTwice, showsTwoDocuments } from './side-consistency';

interface SideZone {
  from: AssessedSide;
  zone: DetectedZone;
}

function toMrzReading({ from, zone }: SideZone): MrzReading {
  const { parsed, confidences, repaired, rows } = zone;
  const all = confidences.flat();
  const boxes = rows.map((row) => toLineBox(row, from));
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

const isVerified = (zone: SideZone | null): zone is SideZone => zone !== null && isVerifiedZone(zone.zone.parsed);

const joinName = (first: string | null, last: string | null): string | null =>
  first === null && last === null ? null : [first, last].filter((part) => part !== null).join(' ');

type DocumentFacts = Omit<DocumentResult, 'risks' | 'status'>;

/** Machine-readable data, the issuer named in print, and the printed text. */
interface Readings {
  /** the side whose quality is reported for the document */
  main: AssessedSide;
  zone: SideZone | null;
  barcode: BarcodeReading | null;
  issuer: AamvaIssuer | null;
  /** the state that a driving licence names */
  licenceState: string | null;
  print: string;
}

/** Combines the readings of all sides. */
function buildFacts(
  sides: readonly AssessedSide[],
  { main, zone, barcode, issuer, licenceState, print }: Readings,
  { today, latest }: CalendarDays,
): DocumentFacts {
  const dateOrder = (barcode?.aamva?.fields.country ?? issuer?.country) === 'USA' ? 'month-first' : 'day-first';
  const fields = collectFields(sides, { zone, barcode }, { latest, dateOrder });
  // A zone that does not verify may be misread, or no zone at all: only print and barcode state what decides.
  const verified = isVerified(zone) ? zone.zone.parsed.fields : null;
  const findValue = (name: FieldName): string | null => selectValue(fields, name, verified !== null);
  const dateOfBirth = findValue('dateOfBirth');
  const sex = findValue('sex');
  return {
    documentType:
      (verified && getDocumentTypeByCode(verified.documentCode, verified.issuingState)) ??
      barcode?.aamva?.documentType ??
      detectPrintedType(print),
    issuingState: verified?.issuingState
      ? toIsoState(verified.issuingState)
      : (barcode?.aamva?.fields.country ?? licenceState ?? issuer?.country ?? null),
    documentNumber: findValue('documentNumber'),
    personalNumber: findValue('personalNumber'),
    firstName: findValue('firstName'),
    lastName: findValue('lastName'),
    fullName: joinName(findValue('firstName'), findValue('lastName')),
    dateOfBirth,
    age: dateOfBirth === null ? null : computeAge(dateOfBirth, today),
    sex: sex === 'F' || sex === 'M' || sex === 'X' ? sex : null,
    nationality: verified?.nationality ? toIsoState(verified.nationality) : findValue('nationality'),
    issueDate: findValue('issueDate'),
    expiryDate: findValue('expiryDate'),
    placeOfBirth: findValue('placeOfBirth'),
    address: findValue('address'),
    mrz: zone === null ? null : toMrzReading(zone),
    barcode,
    fields,
    // If the sides were uploaded in the wrong order, the portrait is on the back image.
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
    models: listModelUses(
      'text_detector',
      'text_recogniser',
      'text_head',
      'text_dictionary',
      'mrz_recogniser',
      'face_detector',
      'face_landmarks',
      'face_embedding',
    ),
  };
}

const joinPrint = (sides: readonly AssessedSide[]): string =>
  sides.flatMap(({ page }) => page.read.map(({ text }) => text)).join('\n');

/** The issuer named in print, if it is a state or province that prints barcodes on licences and identity cards. */
function findIssuer(print: string, licenceState: string | null): AamvaIssuer | null {
  if (licenceState !== null) return null;
  const type = detectPrintedType(print);
  // Names such as Georgia also belong to countries whose identity cards have no barcode.
  const isNorthAmericanCard =
    type === 'identity_card' && /identification card|\b(USA|CANADA)\b|united states/i.test(print);
  return type === 'driving_licence' || isNorthAmericanCard ? findIssuerInText(print) : null;
}

/**
 * The zone that the document has: a verified one, else one that may be misread. Lines that look like a zone and do not
 * verify are print on a licence, which has none, and next to the barcode of a card.
 */
function selectZone(zones: readonly SideZone[], barcode: BarcodeReading | null, print: string): SideZone | null {
  const verified = zones.find(isVerified);
  if (verified !== undefined) return verified;
  return barcode?.aamva != null || detectPrintedType(print) === 'driving_licence' ? null : (zones[0] ?? null);
}

/** A zone whose date of expiry has the year that print states for a document without expiry. */
function applyPrintedExpiry({ from, zone }: SideZone, print: readonly string[]): SideZone {
  const { fields } = zone.parsed;
  const expiryDate = resolvePrintedExpiry(fields.expiryDate, print);
  return { from, zone: { ...zone, parsed: { ...zone.parsed, fields: { ...fields, expiryDate } } } };
}

/**
 * Reads an identity document from one or two images, in any rotation and order; one image may show both sides.
 *
 * @param input.days the days of reading
 */
export async function readDocument(
  networks: Networks,
  { front, back, days }: VisionTasks['readDocument']['input'],
): Promise<DocumentResult> {
  const context = { today: days.today, isOnlySide: back === null };
  const first = await readSide(networks, 'front', front, context);
  const sides = [first];
  if (back !== null) sides.push(await readSide(networks, 'back', back, context));
  const print = joinPrint(sides);
  const zones = sides
    .flatMap((from) => from.page.zones.map((zone): SideZone => ({ from, zone })))
    .map((zone) => applyPrintedExpiry(zone, print.split('\n')))
    .sort((a, b) => b.zone.plausibility - a.zone.plausibility);
  const isLicence = detectPrintedType(print) === 'driving_licence';
  // A document with a verified zone needs no barcode, and detecting one takes time.
  const symbol = !zones.some(isVerified) || isLicence ? await runStage('barcode', () => readBarcode(sides)) : null;
  const zone = selectZone(zones, symbol, print);
  // Next to a zone only the barcode of a licence counts; others hold what their issuer likes.
  const barcode = zone === null || symbol?.aamva != null ? symbol : null;
  const licenceState = isLicence ? findLicenceState(print.split('\n')) : null;
  const issuer = zone === null ? findIssuer(print, licenceState) : null;
  const facts = await runStage('fields', () =>
    buildFacts(sides, { main: zone?.from ?? first, zone, barcode, issuer, licenceState, print }, days),
  );
  const risks = assessDocumentRisks(
    facts,
    {
      impossibleDate:
        (isVerified(zone) && statesImpossibleDate(zone.zone.parsed)) ||
        sides.some(({ page }) => printsImpossibleDate(page.read)),
      twoDocuments: showsTwoDocuments(sides, zones, facts),
      barcodeExpected: issuer !== null && issuer.country !== 'MEX',
      sameSideTwice: isSameSideTwice(sides, facts),
      recognised: isIdentityDocument({
        hasMachineReadableData: zone !== null || barcode?.aamva != null,
        hasPortrait: facts.portrait !== null,
        print,
        fields: facts.fields.map(({ name }) => name),
      }),
      captures: sides.flatMap(({ captures }) => captures),
      sides: sides.length,
    },
    days,
  );
  return { ...facts, risks, status: computeVerdict(risks) };
}
