import { findCheckKind, getCheckDefinition } from '../../../../domain/identity/checks/checks';
import { DEFAULT_FEATURES, FEATURES } from '../../../../domain/identity/sessions/features';
import {
  isCurableByRetry,
  buildRisk,
  RISK_CODES,
  RISKS,
  computeVerdict,
} from '../../../../domain/identity/checks/risks';
import { findCoverage } from '../../../../scripts/docs/coverage';
import { ADDITIONAL_RISK_SPECIMENS } from '../../../support/identity/additional-risk-specimens';
import { RISK_SPECIMENS } from '../../../support/identity/risk-specimens';

/** The published catalogue: removing a code breaks clients that stored it. */
const PUBLISHED = `document_expired, document_not_recognised, document_not_accepted, portrait_not_found, mrz_not_found,
mrz_check_failed, print_unverified, mrz_visual_mismatch, barcode_not_found, barcode_check_failed, barcode_visual_mismatch, name_not_found,
date_of_birth_not_found, document_number_not_found, expiry_not_found, invalid_date, issue_after_expiry, wrong_side,
two_documents, image_blurred, image_glare, image_dark, image_too_small, document_cut_off, screen_capture_suspected,
printed_copy_suspected, duplicate_document, document_in_blocklist, expected_name_mismatch,
expected_date_of_birth_mismatch, expected_country_mismatch, expected_document_number_mismatch, minimum_age_not_met,
poa_too_old, poa_date_in_future, poa_issuer_not_found, poa_name_not_found, poa_script_not_supported, poa_name_mismatch, poa_address_mismatch, poa_address_not_found,
poa_poor_quality, liveness_low, attack_suspected, no_face, multiple_faces, face_too_small, face_low_quality,
same_capture, face_in_blocklist, duplicate_face, face_mismatch, no_face_in_user_image, no_face_in_ref_image, aml_match,
aml_possible_match, aml_list_stale, database_no_match, database_partial_match, database_not_available, kyb_not_active,
kyb_lei_lapsed, kyb_name_mismatch, kyb_country_mismatch, kyb_identifier_mismatch, kyb_registry_unavailable,
attempts_exhausted, processing_failed`
  .split(',')
  .map((code) => code.trim());

describe('the risk catalogue', () => {
  test('contains exactly the published codes', () => {
    expect([...RISK_CODES].sort()).toEqual([...PUBLISHED].sort());
  });

  test('describes each code in a different sentence', () => {
    const messages = RISK_CODES.map((code) => RISKS[code].message);
    expect(new Set(messages).size).toBe(messages.length);
    for (const message of messages) expect(message).toMatch(/^[A-Z].*\.$/);
  });

  test('has a specimen, or a test through HTTP, for each risk of documents and proofs of address', () => {
    const { risks } = findCoverage();
    const codes = RISK_CODES.filter((code) => ['id', 'poa'].includes(RISKS[code].source));
    const unproven = codes.filter(
      (code) => !(code in RISK_SPECIMENS) && !risks.get(code)?.some((file) => file.startsWith('test/api/')),
    );
    expect(unproven).toEqual([]);
    for (const [code, { raises }] of Object.entries(RISK_SPECIMENS)) expect(raises).toContain(code);
    for (const [name, { raises }] of Object.entries(ADDITIONAL_RISK_SPECIMENS)) {
      expect(raises).toContain(name.split(' ')[0]);
    }
  });

  test('never declines by default for the result of a one-to-many search', () => {
    expect(RISKS.face_in_blocklist.action).toBe('review');
    expect(RISKS.duplicate_face.action).toBe('review');
  });
});

describe('a risk', () => {
  test('has the action of the settings, else of a threshold, else the default', () => {
    expect(buildRisk('face_mismatch').action).toBe('decline');
    expect(buildRisk('face_mismatch', { action: 'review' }).action).toBe('review');
    expect(buildRisk('face_mismatch', { action: 'review' }, { face_mismatch: 'ignore' }).action).toBe('ignore');
  });

  test('names the feature whose check found it', () => {
    expect(buildRisk('processing_failed').feature).toBe('session');
    expect(buildRisk('processing_failed', { feature: 'liveness' }).feature).toBe('liveness');
  });
});

describe('a verdict', () => {
  test('follows the most severe action', () => {
    expect(computeVerdict([])).toBe('approved');
    const ignored = { code: 'image_dark', action: 'ignore' } as const;
    const doubt = { code: 'mrz_check_failed', action: 'review' } as const;
    expect(computeVerdict([ignored])).toBe('approved');
    expect(computeVerdict([ignored, doubt])).toBe('review');
    expect(computeVerdict([doubt, { code: 'document_expired', action: 'decline' }])).toBe('declined');
  });

  test('asks for another capture of a poor image unless a finding declines that none would cure', () => {
    const blurred = { code: 'image_blurred', action: 'recapture' } as const;
    expect(computeVerdict([blurred])).toBe('recapture');
    expect(computeVerdict([blurred, { code: 'mrz_check_failed', action: 'review' }])).toBe('recapture');
    expect(computeVerdict([blurred, { code: 'portrait_not_found', action: 'decline' }])).toBe('recapture');
    expect(computeVerdict([blurred, { code: 'document_expired', action: 'decline' }])).toBe('declined');
  });

  test.each(['image_blurred', 'image_too_small', 'document_cut_off'] as const)('of %s alone is recapture', (code) => {
    expect(computeVerdict([buildRisk(code)])).toBe('recapture');
  });

  test('allows a retry only if every declining risk concerns the capture', () => {
    const blurred = { code: 'no_face', action: 'decline' } as const;
    const attack = { code: 'attack_suspected', action: 'decline' } as const;
    expect(isCurableByRetry([])).toBe(false);
    expect(isCurableByRetry([blurred])).toBe(true);
    expect(isCurableByRetry([blurred, attack])).toBe(false);
    expect(isCurableByRetry([blurred, { ...attack, action: 'review' }])).toBe(true);
  });
});

describe('features', () => {
  test('have one kind of check each', () => {
    const fulfilled = FEATURES.map((feature) => {
      const kind = findCheckKind(feature);
      return kind === undefined ? undefined : getCheckDefinition(kind).feature;
    });
    expect(fulfilled).toEqual([...FEATURES]);
    expect(DEFAULT_FEATURES).toEqual(['id', 'liveness', 'face_match']);
  });
});
