import { AGE_BANDS, evaluateMinimumAge, toAgeEstimate } from '../biometrics/age';
import { FACE_MATCH, getFalseMatchRate, LIVENESS, computeMatchScore } from '../biometrics/thresholds';
import type { Box, DetectedFace, AgeResult, FaceMatchResult, FaceQuality, LivenessResult } from '../biometrics/result';
import type { CheckKind, CheckResults } from './checks';
import type { DatabaseResult } from '../database-validation/validate';
import type { DocumentResult } from '../documents/result';
import type { ExpectedDetails } from '../sessions/expected-details';
import { buildRisk, computeVerdict } from './risks';
import { MATCH_THRESHOLD } from '../aml/thresholds';
import type { AmlResult, AmlResultHit } from '../aml/aml-result';
import type { AddressProofResult } from '../documents/poa/result';
import type { Risk, RiskCode, RiskContext, Verdict } from './risks';
import type { SandboxRisk } from './sandbox';

/** The data that a sandbox result is built from. */
export interface SandboxInput {
  /** Id of the check: its end is used as the document number, so that no two checks show the same document. */
  checkId: string;
  /** YYYY-MM-DD */
  today: string;
  expected: ExpectedDetails | null;
  /** Years; null without a minimum. */
  minimumAge: number | null;
  risks: readonly SandboxRisk[];
}

const box: Box = { x: 120, y: 180, width: 320, height: 400 };
const face: DetectedFace = { box, confidence: 0.99 };
const quality: FaceQuality = {
  sharpness: 82,
  brightness: 131,
  pose: { yaw: 1, pitch: -2, roll: 0 },
  eyesOpen: [0.98, 0.97],
  interEyeDistance: 140,
  occlusion: 0.02,
  covered: [],
  overall: 88,
};

const hasRisk = ({ risks }: SandboxInput, code: RiskCode): boolean => risks.some((risk) => risk.code === code);

/** The simulated risks and their verdict. */
function buildRiskOutcome({ risks }: SandboxInput, context: RiskContext = {}): { risks: Risk[]; status: Verdict } {
  const found = risks.map(({ code, action }) => buildRisk(code, action === null ? context : { ...context, action }));
  return { risks: found, status: computeVerdict(found) };
}

const countYears = (birth: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (today.slice(5) < birth.slice(5) ? 1 : 0);

const shiftYears = (date: string, years: number): string => `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;

/** A passport of the fictional person, or of the expected one. */
function buildDocument(input: SandboxInput): DocumentResult {
  const { checkId, today, expected } = input;
  const firstName = expected?.firstName ?? 'Anna Maria';
  const lastName = expected?.lastName ?? 'Eriksson';
  const dateOfBirth = expected?.dateOfBirth ?? '1990-08-12';
  const issuingState = expected?.country ?? 'UTO';
  const isExpired = hasRisk(input, 'document_expired');
  const side = { sharpness: 80, glare: 0, brightness: 128, cutOff: false, resolution: 24 };
  return {
    documentType: 'passport',
    issuingState,
    documentNumber: expected?.documentNumber ?? `S${checkId.slice(-8)}`,
    personalNumber: null,
    firstName,
    lastName,
    fullName: `${firstName} ${lastName}`,
    dateOfBirth,
    age: countYears(dateOfBirth, today),
    sex: 'F',
    nationality: expected?.nationality ?? issuingState,
    issueDate: shiftYears(`${today.slice(0, 4)}-01-15`, isExpired ? -11 : -2),
    expiryDate: shiftYears(`${today.slice(0, 4)}-01-15`, isExpired ? -1 : 8),
    placeOfBirth: null,
    address: expected?.address ?? null,
    mrz: null,
    barcode: null,
    fields: [],
    portrait: { side: 'front', box, confidence: 0.99 },
    quality: side,
    sides: [{ side: 'front', width: 1476, height: 1039, rotation: 0, quality: side }],
    ...buildRiskOutcome(input),
    thresholds: {},
    models: [],
  };
}

/** A selfie that passes or fails by a wide margin. */
function buildLiveness(input: SandboxInput): LivenessResult {
  const score = hasRisk(input, 'attack_suspected') ? 8 : hasRisk(input, 'liveness_low') ? 45 : 97;
  const hasFace = !hasRisk(input, 'no_face');
  return {
    method: 'passive',
    active: null,
    score: hasFace ? score : null,
    parts: null,
    deductions: {},
    face: hasFace ? face : null,
    faces: hasFace ? [face] : [],
    rotation: 0,
    quality: hasFace ? quality : null,
    thresholds: { decline: LIVENESS.decline, review: LIVENESS.review },
    measuredOn: 'nothing: a sandbox result',
    ...buildRiskOutcome(input),
    models: [],
  };
}

/** Years: far above the minimum, at it for a review, or far below it. */
function selectAge({ risks, minimumAge }: SandboxInput): number {
  const risk = risks.find(({ code }) => code === 'minimum_age_not_met');
  if (risk === undefined) return Math.max(34, (minimumAge ?? 0) + 25);
  if (risk.action === 'review') return minimumAge ?? 18;
  return minimumAge === null ? 9 : Math.max(0, minimumAge - 20);
}

function buildAge(input: SandboxInput): AgeResult {
  const { minimumAge } = input;
  const estimate = toAgeEstimate(selectAge(input));
  return {
    ...estimate,
    errorByAge: [...AGE_BANDS],
    measuredOn: 'nothing: a sandbox result',
    minimumAge,
    meetsMinimumAge: minimumAge === null ? null : evaluateMinimumAge(estimate.interval, minimumAge),
    face,
    faces: [face],
    rotation: 0,
    quality,
    ...buildRiskOutcome(input, { feature: 'age', ...(minimumAge === null ? {} : { details: { minimumAge } }) }),
    models: [],
  };
}

/** Similarities that clearly match, that neither match nor differ clearly, and that clearly do not match. */
const SIMILARITIES = { approved: 0.72, review: 0.32, recapture: 0.32, declined: 0.04 } as const;

function buildFaceMatch(input: SandboxInput): FaceMatchResult {
  const outcome = buildRiskOutcome(input);
  const isMatch = !hasRisk(input, 'face_mismatch');
  const compared = !input.risks.some(({ code }) => code.startsWith('no_face_in'));
  const similarity = SIMILARITIES[isMatch ? 'approved' : outcome.status];
  const image = { faces: [face], face, rotation: 0, quality } as const;
  const noFaceImage = { faces: [], face: null, rotation: 0, quality: null } as const;
  const buildImage = (code: RiskCode) => {
    const { faces, ...rest } = hasRisk(input, code) ? noFaceImage : image;
    return { ...rest, faces: [...faces] };
  };
  return {
    score: compared ? computeMatchScore(similarity) : null,
    similarity: compared ? similarity : null,
    captureCorrelation: compared ? (hasRisk(input, 'same_capture') ? 0.99 : 0.3) : null,
    match: isMatch && compared,
    threshold: FACE_MATCH.match,
    reviewThreshold: FACE_MATCH.review,
    falseMatchRate: getFalseMatchRate(FACE_MATCH.match),
    measuredOn: 'nothing: a sandbox result',
    userImage: buildImage('no_face_in_user_image'),
    refImage: buildImage('no_face_in_ref_image'),
    ...outcome,
    models: [],
  };
}

/** A register match whose fields agree or differ according to the risk. */
function buildDatabase(input: SandboxInput): DatabaseResult {
  const covered = !hasRisk(input, 'database_not_available');
  const noMatch = hasRisk(input, 'database_no_match');
  const matchType = noMatch ? 'none' : hasRisk(input, 'database_partial_match') ? 'partial' : 'full';
  return {
    matchType: covered ? matchType : null,
    provider: covered ? 'register' : null,
    validations: [{ field: 'idNumber', status: covered ? (noMatch ? 'mismatch' : 'match') : 'not_checked' }],
    numberStatus: 'valid',
    dataAt: null,
    ...buildRiskOutcome(input),
  };
}

/** A bill of the previous month, addressed to the fictional or expected person. */
function buildAddressProof(input: SandboxInput): AddressProofResult {
  const { today, expected } = input;
  const raw = expected?.address ?? '1 Example Street, Zenith';
  return {
    documentType: 'utility_bill',
    issuer: hasRisk(input, 'poa_issuer_not_found') ? null : 'Utopian Waterworks',
    issueDate: shiftYears(today, hasRisk(input, 'poa_too_old') ? -1 : 0),
    language: 'en',
    name: `${expected?.firstName ?? 'Anna Maria'} ${expected?.lastName ?? 'Eriksson'}`,
    otherNames: [],
    address: hasRisk(input, 'poa_address_not_found')
      ? null
      : { raw, street: null, city: null, region: null, postalCode: null, country: null },
    source: 'text_layer',
    pages: 1,
    confidence: 1,
    ...buildRiskOutcome(input),
    thresholds: {},
    models: [],
  };
}

const FICTIONAL_LISTS = { list: 'fictional', version: 'sandbox', ageHours: 0 } as const;

/**
 * A fictional watch-list entry with the person's name; its id is derived from the check's, so that it can be reviewed.
 */
function buildAmlHit({ checkId, expected }: SandboxInput, score: number): AmlResultHit {
  const name = `${expected?.firstName ?? 'Anna Maria'} ${expected?.lastName ?? 'Eriksson'}`;
  return {
    id: checkId.replace(/^[a-z]+_/, 'hit_'),
    list: FICTIONAL_LISTS.list,
    listVersion: FICTIONAL_LISTS.version,
    entryId: 'sandbox',
    entryHash: 'sandbox',
    entityType: 'person',
    caption: name,
    matchedName: name,
    score,
    explanation: [{ part: 'name', weight: 1, queryValue: name, listValue: name, effect: score }],
    aliases: [],
    datesOfBirth: [],
    countries: [],
    genders: [],
    programs: ['FICTION-SANCTIONS'],
    identifiers: [],
    positions: [],
    addresses: [],
    remarks: 'A sandbox result; no such entry exists',
    sourceUrl: null,
    firstSeen: '2026-01-01T00:00:00.000Z',
    lastChanged: '2026-01-01T00:00:00.000Z',
    reviewStatus: 'unreviewed',
    review: null,
  };
}

/** A watch list with a full match, a partial match or no match. */
function buildAml(input: SandboxInput): AmlResult {
  const score = hasRisk(input, 'aml_match') ? 96 : hasRisk(input, 'aml_possible_match') ? 76 : 0;
  const stale = hasRisk(input, 'aml_list_stale');
  return {
    match: score >= MATCH_THRESHOLD,
    score,
    hits: score === 0 ? [] : [buildAmlHit(input, score)],
    thresholds: { review: MATCH_THRESHOLD, decline: null },
    listsSearched: [{ ...FICTIONAL_LISTS, ageHours: stale ? 100 : 0, stale }],
    ...buildRiskOutcome(input),
  };
}

type SandboxResults = { [K in CheckKind]?: (input: SandboxInput) => CheckResults[K] };

/** The sandbox result of each kind of check; a kind without one is run by its engine. */
export const SANDBOX_RESULTS: SandboxResults = {
  id_verification: buildDocument,
  proof_of_address: buildAddressProof,
  liveness: buildLiveness,
  face_match: buildFaceMatch,
  age: buildAge,
  database_validation: buildDatabase,
  aml_screening: buildAml,
};
