import { makeRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';
import { assessRecaptureRisks } from './recapture';
import type { CaptureTraits } from './recapture';
import type { DocumentResult } from './result';

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

/** The risks of missing machine-readable parts, and of print that contradicts them. */
function assessMachineReadableRisks(
  { mrz, barcode, fields }: DocumentFacts,
  { barcodeExpected }: DocumentObservations,
): Risk[] {
  const listDisagreements = (source: 'mrz' | 'barcode'): string =>
    fields
      .filter((field) => field.agrees === false && field.source === source)
      .map(({ name }) => name)
      .join(',');
  const risks: Risk[] = [];
  if (barcode === null && mrz === null && barcodeExpected) risks.push(makeRisk('barcode_not_found'));
  if (barcode !== null && (!barcode.valid || (barcodeExpected && barcode.aamva === null))) {
    risks.push(makeRisk('barcode_check_failed', { details: { faults: barcode.aamva?.faults.join(',') ?? null } }));
  }
  // Print alone proves nothing: a document of any type without a zone or a barcode goes to review.
  if (mrz === null && !barcodeExpected && barcode?.aamva == null) risks.push(makeRisk('mrz_not_found'));
  if (mrz !== null && !mrz.valid) risks.push(makeRisk('mrz_check_failed'));
  if (listDisagreements('mrz') !== '')
    risks.push(makeRisk('mrz_visual_mismatch', { details: { fields: listDisagreements('mrz') } }));
  if (listDisagreements('barcode') !== '') {
    risks.push(makeRisk('barcode_visual_mismatch', { details: { fields: listDisagreements('barcode') } }));
  }
  return risks;
}

/** True for a date of issue in the future or before the holder's birth. */
function datesContradict({ dateOfBirth, issueDate, expiryDate }: DocumentFacts, today: string): boolean {
  const birth = dateOfBirth?.replaceAll('XX', '01') ?? null;
  return (
    (issueDate !== null && issueDate > today) ||
    (birth !== null && issueDate !== null && issueDate < birth) ||
    (birth !== null && expiryDate !== null && expiryDate < birth)
  );
}

function listContentRisks(facts: DocumentFacts, observed: DocumentObservations, today: string): RiskCode[] {
  const { expiryDate, issueDate } = facts;
  const codes: (RiskCode | false)[] = [
    facts.lastName === null && facts.firstName === null && 'name_not_found',
    facts.dateOfBirth === null && 'date_of_birth_not_found',
    facts.documentNumber === null && 'document_number_not_found',
    expiryDate === null && 'expiry_not_found',
    expiryDate !== null && expiryDate < today && 'document_expired',
    (observed.impossibleDate || datesContradict(facts, today)) && 'invalid_date',
    issueDate !== null && expiryDate !== null && issueDate > expiryDate && 'issue_after_expiry',
    observed.twoDocuments && 'two_documents',
  ];
  return codes.filter((code) => code !== false);
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

function assessImageRisks({ quality, portrait }: DocumentFacts, { captures }: DocumentObservations): Risk[] {
  const risks: Risk[] = [];
  if (quality.sharpness < DOCUMENT_LIMITS.minSharpness) {
    risks.push(makeRisk('image_blurred', { details: { sharpness: quality.sharpness } }));
  }
  if (quality.glare > DOCUMENT_LIMITS.maxGlare)
    risks.push(makeRisk('image_glare', { details: { glare: quality.glare } }));
  if (quality.brightness < DOCUMENT_LIMITS.minBrightness) {
    risks.push(makeRisk('image_dark', { details: { brightness: quality.brightness } }));
  }
  // Without text there is no size to assess.
  if (quality.resolution > 0 && quality.resolution < DOCUMENT_LIMITS.minResolution) {
    risks.push(makeRisk('image_too_small', { details: { resolution: quality.resolution } }));
  }
  if (quality.cutOff) risks.push(makeRisk('document_cut_off'));
  return [...risks, ...assessRecaptureRisks(captures, portrait?.side ?? null)];
}

/**
 * The risks of a document by itself. Checks of the session (expected details, accepted types, blocklists) add theirs.
 *
 * @param today YYYY-MM-DD
 */
export function assessDocumentRisks(facts: DocumentFacts, observed: DocumentObservations, today: string): Risk[] {
  if (!observed.recognised) return [makeRisk('document_not_recognised'), ...assessImageRisks(facts, observed)];
  return [
    ...assessMachineReadableRisks(facts, observed),
    ...[...listContentRisks(facts, observed, today), ...listPortraitRisks(facts, observed)].map((code) =>
      makeRisk(code),
    ),
    ...assessImageRisks(facts, observed),
  ];
}
