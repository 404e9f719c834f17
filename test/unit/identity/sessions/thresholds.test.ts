import { assessAcceptedDocumentRisks } from '../../../../domain/identity/documents/accepted-documents';
import { applyReviewedHits, assessAmlRisks, computeHitsScore } from '../../../../domain/identity/aml/aml-result';
import type { AmlResult, AmlResultHit } from '../../../../domain/identity/aml/aml-result';
import { MATCH_THRESHOLD } from '../../../../domain/identity/aml/thresholds';
import type { FaceMatchResult, LivenessResult } from '../../../../domain/identity/biometrics/result';
import { FACE_MATCH, computeMatchScore, scoreToSimilarity } from '../../../../domain/identity/biometrics/thresholds';
import { evaluateCheck, reevaluateCheck } from '../../../../domain/identity/checks/evaluation';
import type { Finding } from '../../../../domain/identity/checks/checks';
import type { DocumentResult } from '../../../../domain/identity/documents/result';
import { buildRisk } from '../../../../domain/identity/checks/risks';
import type { Risk, RiskActions } from '../../../../domain/identity/checks/risks';
import { findRuleField } from '../../../../domain/identity/sessions/rules/fields';
import { DEFAULT_THRESHOLDS } from '../../../../domain/identity/sessions/thresholds';
import type { Thresholds } from '../../../../domain/identity/sessions/thresholds';

const quality: LivenessResult['quality'] = {
  sharpness: 80,
  brightness: 120,
  pose: { yaw: 0, pitch: 0, roll: 0 },
  eyesOpen: [1, 1],
  interEyeDistance: 120,
  occlusion: 0,
  covered: [],
  overall: 80,
};

const buildLivenessResult = (score: number | null, risks: Risk[] = []): LivenessResult => ({
  method: 'passive',
  active: null,
  score,
  parts: null,
  deductions: {},
  face: null,
  faces: [],
  rotation: 0,
  quality: score === null ? null : quality,
  thresholds: DEFAULT_THRESHOLDS.liveness,
  measuredOn: '',
  risks,
  status: 'approved',
  models: [],
});

const image = { faces: [], face: null, rotation: 0 as const, quality: null };

const buildFaceMatchResult = (similarity: number, risks: Risk[] = []): FaceMatchResult => ({
  score: computeMatchScore(similarity),
  similarity,
  captureCorrelation: 0.3,
  match: similarity >= FACE_MATCH.match,
  threshold: FACE_MATCH.match,
  reviewThreshold: FACE_MATCH.review,
  falseMatchRate: 0.00068,
  measuredOn: '',
  userImage: image,
  refImage: image,
  risks,
  status: 'approved',
  models: [],
});

const buildSettings = (thresholds: Thresholds, actions: RiskActions = {}) => ({ thresholds, actions });

const formatRisks = (risks: readonly Risk[]): string[] => risks.map(({ code, action }) => `${code}:${action}`);

const buildHit = (list: string, score: number, reviewStatus: AmlResultHit['reviewStatus'] = 'unreviewed') =>
  ({
    id: `hit_${list}`,
    list,
    listVersion: 'alv_1',
    entryId: list,
    entryHash: '',
    entityType: 'person',
    caption: 'Robin Miller',
    matchedName: 'Robin Miller',
    score,
    explanation: [],
    aliases: [],
    datesOfBirth: [],
    countries: [],
    genders: [],
    programs: [],
    identifiers: [],
    positions: [],
    addresses: [],
    remarks: null,
    sourceUrl: null,
    firstSeen: '2026-01-01T00:00:00Z',
    lastChanged: '2026-01-01T00:00:00Z',
    reviewStatus,
    review: null,
  }) satisfies AmlResultHit;

/** The result of a screening as the service evaluates it by default. */
function buildAmlResult(hits: AmlResultHit[]): AmlResult {
  const score = computeHitsScore(hits);
  return {
    status: 'approved',
    risks: assessAmlRisks(score),
    match: score >= MATCH_THRESHOLD,
    score,
    hits,
    thresholds: { review: MATCH_THRESHOLD, decline: null },
    listsSearched: [],
  };
}

describe('a threshold of watch lists', () => {
  const read = (field: string, finding: Finding<'aml_screening'>) =>
    findRuleField(field)?.read({
      session: { externalId: null, language: null, country: null, metadata: null, contact: null, attempts: 0 },
      results: { aml_screening: finding },
      risks: [],
    });

  test.each<[number, number, boolean, string[], string[]]>([
    [75, 90, false, [], []],
    [65, 60, true, ['aml_possible_match:review'], ['sanctions']],
    [75, 75, true, ['aml_possible_match:review'], ['sanctions']],
    [96, 75, true, ['aml_match:decline'], ['sanctions']],
  ])('compares the best hit of %d with %d', (score, review, match, risks, lists) => {
    const result = buildAmlResult([buildHit('sanctions', score), buildHit('peps', 99, 'false_positive')]);
    const judged = evaluateCheck('aml_screening', result, [], buildSettings({ aml: { review, decline: 95 } }));
    expect(judged.finding).toMatchObject({ match, score, thresholds: { review, decline: 95 } });
    expect(formatRisks(judged.risks)).toEqual(risks);
    expect(read('aml.match', judged.finding)).toBe(match);
    expect(read('aml.lists', judged.finding)).toEqual(lists);
  });

  test('of the session decides whether a match is left once a reviewer has looked at a hit', () => {
    const hits = [buildHit('sanctions', 75), buildHit('peps', 90, 'false_positive')];
    const matchOf = (review: number): boolean => {
      const before = { ...buildAmlResult(hits), thresholds: { review, decline: 95 } };
      return applyReviewedHits(before, [], hits).finding.match;
    };
    expect([70, 75, 76].map(matchOf)).toEqual([true, true, false]);
  });

  test('of the service selects the lists of a rule, if the session sets none', () => {
    const hits = [buildHit('sanctions', 80), buildHit('peps', 65), buildHit('sanctions', 75)];
    const { finding } = evaluateCheck('aml_screening', buildAmlResult(hits), [], buildSettings({}));
    expect([finding.match, read('aml.lists', finding)]).toEqual([true, ['sanctions']]);
  });
});

describe('a threshold of liveness', () => {
  const limits = buildSettings({ liveness: { decline: 50, review: 90 } });

  test.each<[number, string[], string]>([
    [95, [], 'approved'],
    [90, [], 'approved'],
    [75, ['liveness_low:review'], 'review'],
    [45, ['attack_suspected:decline'], 'declined'],
  ])('judges a score of %d', (score, expected, verdict) => {
    const judged = evaluateCheck('liveness', buildLivenessResult(score), [], limits);
    expect(formatRisks(judged.risks)).toEqual(expected);
    expect(judged).toMatchObject({ verdict, finding: { thresholds: { decline: 50, review: 90 } } });
  });

  test('replaces the risk of the default threshold, but no other finding of the same code', () => {
    const own = buildRisk('liveness_low', { details: { score: 60 } });
    const other = buildRisk('attack_suspected', { details: { challenge: 'blink' } });
    const lenient = buildSettings({ liveness: { decline: 10, review: 40 } });
    expect(formatRisks(evaluateCheck('liveness', buildLivenessResult(60, [own, other]), [], lenient).risks)).toEqual([
      'attack_suspected:decline',
    ]);
    expect(formatRisks(evaluateCheck('liveness', buildLivenessResult(60, [own]), [], buildSettings({})).risks)).toEqual(
      ['liveness_low:review'],
    );
  });

  test('has no effect without a face', () => {
    const noFaceRisk = buildRisk('no_face');
    expect(formatRisks(evaluateCheck('liveness', buildLivenessResult(null, [noFaceRisk]), [], limits).risks)).toEqual([
      'no_face:decline',
    ]);
  });
});

describe('a threshold of the face match', () => {
  test('applies to the calibrated score and reports its cosine and false-match rate', () => {
    const strict = buildSettings({ faceMatch: { decline: 50, review: 75 } });
    const judged = evaluateCheck('face_match', buildFaceMatchResult(0.38), [], strict);
    expect(formatRisks(judged.risks)).toEqual(['face_mismatch:review']);
    expect(judged.finding).toMatchObject({ match: false, reviewThreshold: FACE_MATCH.match });
    expect(judged.finding.threshold).toBeGreaterThan(FACE_MATCH.match);
    expect(judged.finding.falseMatchRate).toBeLessThan(0.001);
    expect(formatRisks(evaluateCheck('face_match', buildFaceMatchResult(0.3), [], strict).risks)).toEqual([
      'face_mismatch:decline',
    ]);
  });

  test('replaces the evaluation by another threshold', () => {
    const engine = buildRisk('face_mismatch', { action: 'review', details: { similarity: 0.33 } });
    const lenient = buildSettings({ faceMatch: { decline: 10, review: 25 } });
    const judged = reevaluateCheck('face_match', { finding: buildFaceMatchResult(0.33), risks: [engine] }, lenient);
    expect(judged).toMatchObject({ verdict: 'approved', risks: [], finding: { match: true } });
  });

  test('inverts the score', () => {
    for (const cosine of [0.2, 0.25, 0.31, 0.4])
      expect(scoreToSimilarity(computeMatchScore(cosine))).toBeCloseTo(cosine, 2);
  });
});

describe('a minimum age', () => {
  const buildDocumentResult = (age: number | null): DocumentResult => ({
    documentType: 'passport',
    issuingState: 'FRA',
    documentNumber: null,
    personalNumber: null,
    firstName: null,
    lastName: null,
    fullName: null,
    dateOfBirth: null,
    age,
    sex: null,
    nationality: null,
    issueDate: null,
    expiryDate: null,
    placeOfBirth: null,
    address: null,
    mrz: null,
    barcode: null,
    fields: [],
    portrait: null,
    quality: { sharpness: 1, glare: 0, brightness: 1, cutOff: false, resolution: 1 },
    sides: [],
    risks: [],
    status: 'approved',
    thresholds: {},
    models: [],
  });

  test.each<[number | null, string[]]>([
    [17, ['minimum_age_not_met:decline']],
    [18, []],
    [null, []],
  ])('of 18 judges an age of %s', (age, expected) => {
    expect(
      formatRisks(
        evaluateCheck('id_verification', buildDocumentResult(age), [], buildSettings({ minimumAge: 18 })).risks,
      ),
    ).toEqual(expected);
  });

  test('is overridden by an action of the session', () => {
    const looked = buildSettings({ minimumAge: 18 }, { minimum_age_not_met: 'review' });
    expect(formatRisks(evaluateCheck('id_verification', buildDocumentResult(17), [], looked).risks)).toEqual([
      'minimum_age_not_met:review',
    ]);
  });
});

describe('accepted documents', () => {
  const accepted = [{ type: 'passport' as const }, { type: 'identity_card' as const, countries: ['FRA'] }];
  const risks = (documentType: DocumentResult['documentType'], issuingState: string | null) =>
    assessAcceptedDocumentRisks(accepted, { documentType, issuingState }).map(({ code }) => code);

  test('are matched by type and state; unrecognised documents are not rejected', () => {
    expect(risks('passport', 'DEU')).toEqual([]);
    expect(risks('identity_card', 'FRA')).toEqual([]);
    expect(risks('identity_card', 'DEU')).toEqual(['document_not_accepted']);
    expect(risks('visa', 'FRA')).toEqual(['document_not_accepted']);
    expect(risks('identity_card', null)).toEqual([]);
    expect(risks(null, 'FRA')).toEqual([]);
    expect(assessAcceptedDocumentRisks(null, { documentType: 'visa', issuingState: 'FRA' })).toEqual([]);
  });
});
