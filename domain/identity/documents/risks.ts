import { makeRisk } from '../checks/risks';
import type { Risk, RiskCode } from '../checks/risks';
import { assessRecaptureRisks } from './recapture';
import type { CaptureTraits } from './recapture';
import type { DocumentResult } from './result';

/** Limits from which the quality of an image is a risk of its own. */
export const DOCUMENT_LIMITS = {
  /** 0–100 */
  minSharpness: 12,
  /** share burnt out */
  maxGlare: 0.06,
  /** mean luminance */
  minBrightness: 45,
  /** height of a capital letter in pixels of the image as sent */
  minResolution: 7,
} as const;

/** What the rules need beyond the result itself. */
export interface DocumentObservations {
  /** a date field of the zone, or print under its caption, states a day that no calendar has */
  impossibleDate: boolean;
  /** the images show zones, print or portraits of different documents */
  twoDocuments: boolean;
  /** documents of this type and country carry a barcode instead of a zone */
  barcodeExpected: boolean;
  /** both images show a portrait: the same side was sent twice */
  sameSideTwice: boolean;
  /** text or a zone was read at all */
  recognised: boolean;
  captures: readonly CaptureTraits[];
  /** sides that were sent */
  sides: number;
}

type DocumentFacts = Omit<DocumentResult, 'risks' | 'status'>;

/** What the machine-readable parts of the document lack, and where print contradicts them. */
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
  // Print alone proves nothing: whatever the type, a person looks at a document without a zone or a barcode.
  if (mrz === null && !barcodeExpected && barcode?.aamva == null) risks.push(makeRisk('mrz_not_found'));
  if (mrz !== null && !mrz.valid) risks.push(makeRisk('mrz_check_failed'));
  if (listDisagreements('mrz') !== '')
    risks.push(makeRisk('mrz_visual_mismatch', { details: { fields: listDisagreements('mrz') } }));
  if (listDisagreements('barcode') !== '') {
    risks.push(makeRisk('barcode_visual_mismatch', { details: { fields: listDisagreements('barcode') } }));
  }
  return risks;
}

/** Nothing is issued tomorrow, nor before its holder is born. */
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
  // A card's zone or barcode without a portrait beside it is its back.
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
  // Without text there is nothing whose size could be told.
  if (quality.resolution > 0 && quality.resolution < DOCUMENT_LIMITS.minResolution) {
    risks.push(makeRisk('image_too_small', { details: { resolution: quality.resolution } }));
  }
  if (quality.cutOff) risks.push(makeRisk('document_cut_off'));
  return [...risks, ...assessRecaptureRisks(captures, portrait?.side ?? null)];
}

/**
 * The risks one document raises by itself. A session's own checks (expected data, accepted types, blocklists) come on
 * top of them.
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
