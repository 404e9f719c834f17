import type { CalendarDays } from '../calendar-days';
import { buildRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';
import { assessRecaptureRisks } from './recapture';
import type { CaptureTraits } from './recapture';
import { findDecidingField } from './field-sources';
import { isVerifiedZone } from './mrz/verification';
import type { DocumentField, DocumentResult, FieldName } from './result';

/** Limits of image quality beyond which a risk is raised. */
export const DOCUMENT_LIMITS = {
  /** 0–100. */
  minSharpness: 12,
  /** Overexposed share, 0–1. */
  maxGlare: 0.06,
  /** Mean luminance. */
  minBrightness: 45,
  /** Height of a capital letter in pixels of the image as sent. */
  minResolution: 7,
} as const;

/** Observations that the rules need in addition to the result. */
export interface DocumentObservations {
  /** True if a date of the zone, or print under its caption, states a day that no calendar has. */
  impossibleDate: boolean;
  /** True if the images show zones, print or portraits of different documents. */
  twoDocuments: boolean;
  /** True if documents of this type and country carry a barcode instead of a zone. */
  barcodeExpected: boolean;
  /** True if both images show a portrait: the same side was sent twice. */
  sameSideTwice: boolean;
  /** True if text or a zone was read at all. */
  recognised: boolean;
  captures: readonly CaptureTraits[];
  /** Number of sides sent. */
  sides: number;
}

type DocumentFacts = Omit<DocumentResult, 'risks' | 'status'>;

/** Fields that identify the holder and the document: print must show them if it is legible. */
const IDENTIFYING_FIELDS: readonly FieldName[] = ['documentNumber', 'lastName', 'dateOfBirth'];

const joinNames = (fields: readonly DocumentField[]): string => fields.map(({ name }) => name).join(',');

/**
 * Whether print that does not show identifying values is suspicious. A licence is only as good as its front. The print
 * of other documents may be of any script, so that it counts once one of the values was read: then the name, which no
 * check digit covers, or two of the others must not be missing.
 */
const isSuspicious = (
  source: 'mrz' | 'barcode',
  unstated: readonly DocumentField[],
  identifying: readonly DocumentField[],
): boolean =>
  source === 'barcode' ||
  (unstated.length < identifying.length && (unstated.length > 1 || unstated.some(({ name }) => name === 'lastName')));

/** The details of print that differs from a source, or does not show what identifies the holder; null if it does. */
function findPrintMismatch(
  { fields, portrait }: DocumentFacts,
  source: 'mrz' | 'barcode',
): Record<string, string> | null {
  const stated = fields.filter((field) => field.source === source);
  const differing = stated.filter(({ agrees }) => agrees === false);
  const identifying = stated.filter(({ name }) => IDENTIFYING_FIELDS.includes(name));
  const unstated = identifying.filter(({ agrees }) => agrees === null);
  // The side with the print was sent if it has the portrait.
  const missing = portrait !== null && isSuspicious(source, unstated, identifying) ? unstated : [];
  if (differing.length === 0 && missing.length === 0) return null;
  return { fields: joinNames(differing), ...(missing.length === 0 ? {} : { notPrinted: joinNames(missing) }) };
}

/** The risk of a document without machine-readable part; licences of most states have none. */
const assessMissingZone = ({ documentType }: DocumentFacts): Risk =>
  documentType === 'driving_licence' ? buildRisk('print_unverified') : buildRisk('mrz_not_found');

/** The risks of missing machine-readable parts, and of print that contradicts them. */
function assessMachineReadableRisks(facts: DocumentFacts, { barcodeExpected }: DocumentObservations): Risk[] {
  const { mrz, barcode } = facts;
  const risks: Risk[] = [];
  if (barcode === null && mrz === null && barcodeExpected) risks.push(buildRisk('barcode_not_found'));
  if (barcode !== null && (!barcode.valid || (barcodeExpected && barcode.aamva === null))) {
    risks.push(buildRisk('barcode_check_failed', { details: { faults: barcode.aamva?.faults.join(',') ?? null } }));
  }
  // Print alone proves nothing: a document of any type without a zone or a barcode goes to review.
  if (mrz === null && !barcodeExpected && barcode?.aamva == null) risks.push(assessMissingZone(facts));
  if (mrz !== null && !isVerifiedZone(mrz)) risks.push(buildRisk('mrz_check_failed'));
  // A zone that was misread differs from print for that reason.
  const zoneMismatch = mrz !== null && isVerifiedZone(mrz) ? findPrintMismatch(facts, 'mrz') : null;
  if (zoneMismatch !== null) risks.push(buildRisk('mrz_visual_mismatch', { details: zoneMismatch }));
  const barcodeMismatch = findPrintMismatch(facts, 'barcode');
  if (barcodeMismatch !== null) risks.push(buildRisk('barcode_visual_mismatch', { details: barcodeMismatch }));
  return risks;
}

/** True for a date of issue in the future or before the holder's birth. */
function datesContradict({ dateOfBirth, issueDate, expiryDate }: DocumentFacts, { latest }: CalendarDays): boolean {
  const birth = dateOfBirth?.replaceAll('XX', '01') ?? null;
  return (
    (issueDate !== null && issueDate > latest) ||
    (birth !== null && issueDate !== null && issueDate < birth) ||
    (birth !== null && expiryDate !== null && expiryDate < birth)
  );
}

function listContentRisks(facts: DocumentFacts, observed: DocumentObservations, days: CalendarDays): RiskCode[] {
  const { expiryDate, issueDate } = facts;
  const codes: (RiskCode | false)[] = [
    facts.lastName === null && facts.firstName === null && 'name_not_found',
    facts.dateOfBirth === null && 'date_of_birth_not_found',
    facts.documentNumber === null && 'document_number_not_found',
    expiryDate === null && 'expiry_not_found',
    (observed.impossibleDate || datesContradict(facts, days)) && 'invalid_date',
    issueDate !== null && expiryDate !== null && issueDate > expiryDate && 'issue_after_expiry',
    observed.twoDocuments && 'two_documents',
  ];
  return codes.filter((code) => code !== false);
}

/** Confidence from which a printed date of expiry alone declines a document. */
const MIN_DECLINING_CONFIDENCE = 0.9;

/** The risk of an expired document; a date that was hardly legible and that nothing confirms calls a reviewer. */
function assessExpiry({ expiryDate, fields, mrz }: DocumentFacts, { earliest }: CalendarDays): Risk[] {
  if (expiryDate === null || expiryDate >= earliest) return [];
  const field = findDecidingField(fields, 'expiryDate', mrz !== null && isVerifiedZone(mrz));
  const isDoubtful = field?.source === 'visual' && field.confidence < MIN_DECLINING_CONFIDENCE;
  return [buildRisk('document_expired', isDoubtful ? { action: 'review' } : {})];
}

function listPortraitRisks(
  { portrait, mrz, barcode }: DocumentFacts,
  { sides, sameSideTwice }: DocumentObservations,
): RiskCode[] {
  if (portrait !== null) return sameSideTwice ? ['wrong_side'] : [];
  // The zone or barcode of a card on an image without a portrait is its back.
  const isBack = sides === 1 && (mrz?.format === 'TD1' || barcode !== null);
  return isBack ? ['wrong_side'] : ['portrait_not_found'];
}

/** Whether a zone or barcode whose contents verify, and all fields that decide, were read in spite of the capture. */
function isComplete(facts: DocumentFacts): boolean {
  const { lastName, firstName, documentNumber, dateOfBirth, expiryDate } = facts;
  const values = [lastName ?? firstName, documentNumber, dateOfBirth, expiryDate];
  return hasVerifiedData(facts) && values.every((value) => value !== null);
}

const hasVerifiedData = ({ mrz, barcode }: DocumentFacts): boolean =>
  (mrz !== null && isVerifiedZone(mrz)) || (barcode?.valid === true && barcode.aamva !== null);

/** The risks of a capture that may not show everything. */
function assessCaptureRisks(facts: DocumentFacts): Risk[] {
  const { sharpness, glare, brightness, resolution, cutOff } = facts.quality;
  const { minSharpness, maxGlare, minBrightness, minResolution } = DOCUMENT_LIMITS;
  const action = isComplete(facts) ? 'ignore' : 'recapture';
  const risks: Risk[] = [];
  if (sharpness < minSharpness) risks.push(buildRisk('image_blurred', { details: { sharpness } }));
  if (glare > maxGlare) risks.push(buildRisk('image_glare', { action, details: { glare } }));
  if (brightness < minBrightness) risks.push(buildRisk('image_dark', { action, details: { brightness } }));
  // Without text there is no size to assess.
  if (resolution > 0 && resolution < minResolution) {
    risks.push(buildRisk('image_too_small', { details: { resolution } }));
  }
  if (cutOff) risks.push(buildRisk('document_cut_off'));
  return risks;
}

/**
 * The risks of a document by itself. Checks of the session (expected details, accepted types, blocklists) add theirs.
 * What a poor capture seems to show is no finding unless a zone or barcode verifies: it is captured again.
 *
 * @param days the days of reading
 */
export function assessDocumentRisks(facts: DocumentFacts, observed: DocumentObservations, days: CalendarDays): Risk[] {
  const capture = assessCaptureRisks(facts);
  const imageRisks = [...capture, ...assessRecaptureRisks(observed.captures, facts.portrait?.side ?? null)];
  if (!observed.recognised) return [buildRisk('document_not_recognised'), ...imageRisks];
  if (!hasVerifiedData(facts) && capture.some(({ action }) => action === 'recapture')) return imageRisks;
  return [
    ...assessMachineReadableRisks(facts, observed),
    ...assessExpiry(facts, days),
    ...[...listContentRisks(facts, observed, days), ...listPortraitRisks(facts, observed)].map((code) =>
      buildRisk(code),
    ),
    ...imageRisks,
  ];
}
