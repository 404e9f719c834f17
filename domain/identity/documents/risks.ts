import { makeRisk } from '../risks';
import type { Risk, RiskCode } from '../risks';
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
  /** mean chroma below which a page is a black-and-white copy */
  minChroma: 2.5,
} as const;

/** What the rules need beyond the result itself. */
export interface DocumentObservations {
  /** a date field of the zone holds digits that are no date */
  impossibleDate: boolean;
  /** both sides carry zones of different documents */
  twoDocuments: boolean;
  /** text or a zone was read at all */
  recognised: boolean;
  /** mean chroma of the page, 0–128 */
  chroma: number;
  /** sides that were sent */
  sides: number;
}

type Facts = Omit<DocumentResult, 'risks' | 'status'>;

function contentRisks(facts: Facts, observed: DocumentObservations, today: string): RiskCode[] {
  const { mrz, expiryDate, issueDate } = facts;
  const codes: (RiskCode | false)[] = [
    // Print alone proves nothing: whatever the type, a person looks at a document without a zone.
    mrz === null && 'mrz_not_found',
    mrz !== null && !mrz.valid && 'mrz_check_failed',
    facts.fields.some(({ agrees }) => agrees === false) && 'mrz_visual_mismatch',
    facts.lastName === null && facts.firstName === null && 'name_not_found',
    facts.dateOfBirth === null && 'date_of_birth_not_found',
    facts.documentNumber === null && 'document_number_not_found',
    expiryDate === null && 'expiry_not_found',
    expiryDate !== null && expiryDate < today && 'document_expired',
    observed.impossibleDate && 'invalid_date',
    issueDate !== null && expiryDate !== null && issueDate > expiryDate && 'issue_after_expiry',
    observed.twoDocuments && 'two_documents',
  ];
  return codes.filter((code) => code !== false);
}

function portraitRisks({ portrait, mrz }: Facts, { sides }: DocumentObservations): RiskCode[] {
  if (portrait !== null) return [];
  // A card's zone without a portrait beside it is its back.
  return mrz?.format === 'TD1' && sides === 1 ? ['wrong_side'] : ['portrait_not_found'];
}

function imageRisks({ quality, portrait }: Facts, { chroma }: DocumentObservations): Risk[] {
  const risks: Risk[] = [];
  if (quality.sharpness < DOCUMENT_LIMITS.minSharpness) {
    risks.push(makeRisk('image_blurred', { details: { sharpness: quality.sharpness } }));
  }
  if (quality.glare > DOCUMENT_LIMITS.maxGlare)
    risks.push(makeRisk('image_glare', { details: { glare: quality.glare } }));
  if (quality.brightness < DOCUMENT_LIMITS.minBrightness) {
    risks.push(makeRisk('image_dark', { details: { brightness: quality.brightness } }));
  }
  if (quality.resolution < DOCUMENT_LIMITS.minResolution) {
    risks.push(makeRisk('image_too_small', { details: { resolution: quality.resolution } }));
  }
  if (quality.cutOff) risks.push(makeRisk('document_cut_off'));
  if (portrait !== null && chroma < DOCUMENT_LIMITS.minChroma) {
    risks.push(makeRisk('printed_copy_suspected', { details: { chroma } }));
  }
  return risks;
}

/**
 * The risks one document raises by itself. A session's own checks (expected data, accepted types, blocklists) come on
 * top of them.
 *
 * @param today YYYY-MM-DD
 */
export function documentRisks(facts: Facts, observed: DocumentObservations, today: string): Risk[] {
  if (!observed.recognised) return [makeRisk('document_not_recognised'), ...imageRisks(facts, observed)];
  const disagreeing = facts.fields.filter(({ agrees, source }) => agrees === false && source === 'mrz');
  return [
    ...contentRisks(facts, observed, today).map((code) =>
      code === 'mrz_visual_mismatch'
        ? makeRisk(code, { details: { fields: disagreeing.map(({ name }) => name).join(',') } })
        : makeRisk(code),
    ),
    ...portraitRisks(facts, observed).map((code) => makeRisk(code)),
    ...imageRisks(facts, observed),
  ];
}
