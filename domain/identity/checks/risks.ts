import type { Feature } from '../sessions/features';

/**
 * Effects of a risk on its step, unless the session's settings override them. `recapture`: the image does not show
 * enough, so the person captures it again.
 */
export const RISK_ACTIONS = ['decline', 'recapture', 'review', 'ignore'] as const;

export type RiskAction = (typeof RISK_ACTIONS)[number];

export type RiskSeverity = 'low' | 'medium' | 'high';

/** The source of a risk: a feature of a session, a business check, or the session as a whole. */
export type RiskSource = Feature | 'kyb' | 'session';

export interface RiskDefinition {
  source: RiskSource;
  severity: RiskSeverity;
  /** Default action; thresholds and settings may change it. */
  action: RiskAction;
  /**
   * Whether a better capture may cure the risk. A step whose declining risks are all retryable is repeated; any other
   * declining risk is a finding about the person or the document and is final.
   */
  retryable: boolean;
  message: string;
}

const defineRisk = (
  source: RiskSource,
  severity: RiskSeverity,
  action: RiskAction,
  message: string,
  retryable = false,
): RiskDefinition => ({ source, severity, action, retryable, message });

const retry = true;

/**
 * Version of the catalogue, raised when a code is added or a default changes. Codes are never renamed or reused,
 * because clients store them.
 */
export const RISK_CATALOGUE_VERSION = 3;

const DOCUMENT_RISKS = {
  document_expired: defineRisk('id', 'high', 'decline', 'The document has expired.'),
  document_not_recognised: defineRisk(
    'id',
    'high',
    'decline',
    'No identity document was recognised in the image.',
    retry,
  ),
  document_not_accepted: defineRisk(
    'id',
    'high',
    'decline',
    'This type or country of document is not accepted.',
    retry,
  ),
  // Without a portrait there is nothing to compare the selfie with, so the person takes another photo.
  portrait_not_found: defineRisk('id', 'high', 'decline', 'No portrait was found on the document.', retry),
  mrz_not_found: defineRisk('id', 'medium', 'review', 'No machine-readable zone was found.', retry),
  mrz_check_failed: defineRisk(
    'id',
    'high',
    'review',
    'A check digit of the machine-readable zone does not verify.',
    retry,
  ),
  print_unverified: defineRisk(
    'id',
    'medium',
    'review',
    'The document has no machine-readable part with which its print could be compared.',
  ),
  mrz_visual_mismatch: defineRisk('id', 'high', 'review', 'The printed fields and the machine-readable zone differ.'),
  barcode_not_found: defineRisk(
    'id',
    'medium',
    'review',
    'No barcode was found where the document type has one.',
    retry,
  ),
  barcode_check_failed: defineRisk('id', 'high', 'review', 'The barcode could not be decoded to valid fields.', retry),
  barcode_visual_mismatch: defineRisk('id', 'high', 'review', 'The printed fields and the barcode differ.'),
  name_not_found: defineRisk('id', 'medium', 'review', 'No name could be read.', retry),
  date_of_birth_not_found: defineRisk('id', 'medium', 'review', 'No date of birth could be read.', retry),
  document_number_not_found: defineRisk('id', 'medium', 'review', 'No document number could be read.', retry),
  expiry_not_found: defineRisk('id', 'medium', 'review', 'No date of expiry could be read.', retry),
  invalid_date: defineRisk('id', 'high', 'review', 'A date on the document does not exist or cannot be right.'),
  issue_after_expiry: defineRisk('id', 'high', 'review', 'The date of issue lies after the date of expiry.'),
  wrong_side: defineRisk('id', 'medium', 'decline', 'The image shows the wrong side of the document.', retry),
  two_documents: defineRisk('id', 'medium', 'decline', 'The images show two different documents.', retry),
  image_blurred: defineRisk('id', 'medium', 'recapture', 'The image is blurred.', retry),
  // Glare and darkness explain an incomplete reading, which is then captured again; if everything was read in spite of
  // them, they are no risk themselves.
  image_glare: defineRisk('id', 'low', 'ignore', 'Glare covers part of the document.', retry),
  image_dark: defineRisk('id', 'low', 'ignore', 'The image is dark.', retry),
  image_too_small: defineRisk(
    'id',
    'medium',
    'recapture',
    'The document is too small in the image to be examined.',
    retry,
  ),
  document_cut_off: defineRisk('id', 'medium', 'recapture', 'Part of the document lies outside the image.', retry),
  screen_capture_suspected: defineRisk('id', 'high', 'review', 'The document seems to be photographed from a screen.'),
  printed_copy_suspected: defineRisk('id', 'high', 'review', 'The document seems to be a printed copy.'),
  duplicate_document: defineRisk('id', 'high', 'review', 'The document was used by another person before.'),
  document_in_blocklist: defineRisk('id', 'high', 'decline', 'The document is on the blocklist.'),
  expected_name_mismatch: defineRisk('id', 'high', 'review', 'The name differs from the expected one.'),
  expected_date_of_birth_mismatch: defineRisk(
    'id',
    'high',
    'review',
    'The date of birth differs from the expected one.',
  ),
  expected_country_mismatch: defineRisk('id', 'high', 'review', 'The country differs from the expected one.'),
  expected_document_number_mismatch: defineRisk(
    'id',
    'high',
    'review',
    'The document number differs from the expected one.',
  ),
  minimum_age_not_met: defineRisk('id', 'high', 'decline', 'The person is younger than the minimum age.'),
} satisfies Record<string, RiskDefinition>;

const ADDRESS_RISKS = {
  poa_too_old: defineRisk('poa', 'high', 'decline', 'The proof of address is too old.', retry),
  poa_date_in_future: defineRisk('poa', 'high', 'review', 'The proof of address bears a date in the future.'),
  poa_issuer_not_found: defineRisk('poa', 'medium', 'review', 'No issuer was found on the proof of address.'),
  poa_name_not_found: defineRisk('poa', 'medium', 'review', 'No recipient was found on the proof of address.'),
  poa_script_not_supported: defineRisk(
    'poa',
    'medium',
    'review',
    'The proof of address is written in a script or language that is not read automatically.',
  ),
  poa_name_mismatch: defineRisk(
    'poa',
    'high',
    'review',
    'The name on the proof of address differs from the person verified.',
  ),
  poa_address_mismatch: defineRisk('poa', 'high', 'review', 'The address differs from the expected one.'),
  poa_address_not_found: defineRisk('poa', 'medium', 'decline', 'No address was found on the proof of address.', retry),
  poa_poor_quality: defineRisk('poa', 'medium', 'recapture', 'The proof of address cannot be read well enough.', retry),
} satisfies Record<string, RiskDefinition>;

const LIVENESS_RISKS = {
  liveness_low: defineRisk('liveness', 'high', 'review', 'The liveness score is low.', retry),
  attack_suspected: defineRisk('liveness', 'high', 'decline', 'The image seems to show a screen, a print or a mask.'),
  no_face: defineRisk('liveness', 'medium', 'decline', 'No face was found in the image.', retry),
  multiple_faces: defineRisk('liveness', 'medium', 'decline', 'More than one face was found in the image.', retry),
  face_too_small: defineRisk('liveness', 'medium', 'decline', 'The face is too small in the image.', retry),
  face_low_quality: defineRisk(
    'liveness',
    'medium',
    'review',
    'The face is blurred, turned away, dark or covered.',
    retry,
  ),
  same_capture: defineRisk(
    'liveness',
    'high',
    'review',
    'The selfie is the same picture as the portrait of the document or as earlier evidence.',
  ),
  // A one-to-many search finds look-alikes: its result may cause a review, but never decline on its own.
  face_in_blocklist: defineRisk('liveness', 'high', 'review', 'The face resembles one on the blocklist.'),
  duplicate_face: defineRisk('liveness', 'high', 'review', 'The face resembles one verified under another identity.'),
} satisfies Record<string, RiskDefinition>;

const FACE_MATCH_RISKS = {
  face_mismatch: defineRisk('face_match', 'high', 'decline', 'The two faces do not match.'),
  no_face_in_user_image: defineRisk(
    'face_match',
    'medium',
    'decline',
    'No face was found in the image of the person.',
    retry,
  ),
  no_face_in_ref_image: defineRisk(
    'face_match',
    'medium',
    'decline',
    'No face was found in the reference image.',
    retry,
  ),
} satisfies Record<string, RiskDefinition>;

const RECORD_RISKS = {
  aml_match: defineRisk('aml', 'high', 'review', 'The person matches an entry of a watch list.'),
  aml_possible_match: defineRisk('aml', 'medium', 'review', 'The person may match an entry of a watch list.'),
  aml_list_stale: defineRisk('aml', 'low', 'ignore', 'A watch list searched is older than it should be.'),
  database_no_match: defineRisk('database', 'high', 'review', 'The details do not match the register.'),
  database_partial_match: defineRisk('database', 'medium', 'review', 'Only some of the details match the register.'),
  database_not_available: defineRisk('database', 'medium', 'review', 'No register covers this country.'),
  kyb_not_active: defineRisk('kyb', 'high', 'review', 'The company is not active.'),
  kyb_lei_lapsed: defineRisk('kyb', 'medium', 'review', 'The legal entity identifier has lapsed.'),
  kyb_name_mismatch: defineRisk('kyb', 'high', 'review', 'The company name differs from the registered one.'),
  kyb_country_mismatch: defineRisk('kyb', 'high', 'review', 'The country differs from the registered one.'),
  kyb_identifier_mismatch: defineRisk(
    'kyb',
    'high',
    'review',
    'A number that was given does not belong to the company.',
  ),
  kyb_registry_unavailable: defineRisk('kyb', 'medium', 'review', 'The company register could not be reached.'),
} satisfies Record<string, RiskDefinition>;

const SESSION_RISKS = {
  attempts_exhausted: defineRisk('session', 'high', 'review', 'All attempts at a step were used.'),
  processing_failed: defineRisk('session', 'medium', 'decline', 'The check could not be completed.', retry),
} satisfies Record<string, RiskDefinition>;

/** Every risk that the service can raise, with its default action. A code belongs to exactly one source. */
export const RISKS = {
  ...DOCUMENT_RISKS,
  ...ADDRESS_RISKS,
  ...LIVENESS_RISKS,
  ...FACE_MATCH_RISKS,
  ...RECORD_RISKS,
  ...SESSION_RISKS,
} satisfies Record<string, RiskDefinition>;

export type RiskCode = keyof typeof RISKS;

export const isRiskCode = (text: string): text is RiskCode => Object.hasOwn(RISKS, text);

export const RISK_CODES = Object.keys(RISKS).filter(isRiskCode);

/** A risk found in a check, as returned by the API. `details` holds measurements and field names, no personal data. */
export interface Risk {
  code: RiskCode;
  severity: RiskSeverity;
  action: RiskAction;
  feature: RiskSource;
  message: string;
  details?: Record<string, string | number | boolean | null>;
}

/** Actions by risk code from a session's settings, in place of the defaults. */
export type RiskActions = Partial<Record<RiskCode, RiskAction>>;

export interface RiskContext {
  /** The feature whose check found it, if the code belongs to no single feature. */
  feature?: RiskSource;
  /** The action set by a threshold; an action in the settings takes precedence. */
  action?: RiskAction;
  details?: Record<string, string | number | boolean | null>;
}

/**
 * Creates a risk from its code. Its action is the one from the settings, else the one set by a threshold, else the
 * default of the catalogue.
 */
export function buildRisk(code: RiskCode, context: RiskContext = {}, actions: RiskActions = {}): Risk {
  const definition: RiskDefinition = RISKS[code];
  return {
    code,
    severity: definition.severity,
    action: actions[code] ?? context.action ?? definition.action,
    feature: context.feature ?? definition.source,
    message: definition.message,
    ...(context.details === undefined ? {} : { details: context.details }),
  };
}

/** Combined outcomes of the risks of a check. `recapture`: nothing is decided until the person captures it again. */
export const VERDICTS = ['approved', 'review', 'recapture', 'declined'] as const;

export type Verdict = (typeof VERDICTS)[number];

/**
 * The verdict by the most severe action: a finding that no other capture cures declines; else a poor capture is
 * repeated, because it may have caused every other risk; then `decline` before `review` before `ignore`.
 */
export function computeVerdict(risks: readonly Pick<Risk, 'action' | 'code'>[]): Verdict {
  const has = (wanted: RiskAction): boolean => risks.some(({ action }) => action === wanted);
  if (has('recapture') && (!has('decline') || isCurableByRetry(risks))) return 'recapture';
  if (has('decline')) return 'declined';
  return has('review') ? 'review' : 'approved';
}

/** True if risks decline and a better capture could cure all of them. */
export function isCurableByRetry(risks: readonly Pick<Risk, 'action' | 'code'>[]): boolean {
  const declining = risks.filter(({ action }) => action === 'decline');
  return declining.length > 0 && declining.every(({ code }) => RISKS[code].retryable);
}
