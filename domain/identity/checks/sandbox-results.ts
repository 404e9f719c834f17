import { AGE_BANDS, toAgeEstimate } from '../biometrics/age';
import { FACE_MATCH, getFalseMatchRate, LIVENESS, computeMatchScore } from '../biometrics/thresholds';
import type { Box, DetectedFace, AgeResult, FaceMatchResult, FaceQuality, LivenessResult } from '../biometrics/result';
import type { CheckKind, CheckResults } from './checks';
import type { DatabaseResult } from '../database-validation/validate';
import type { DocumentResult } from '../documents/result';
import type { ExpectedDetails } from '../sessions/expected-details';
import { makeRisk, computeVerdict } from './risks';
import { MATCH_THRESHOLD } from '../aml/thresholds';
import type { AmlResult, AmlResultHit } from '../aml/aml-result';
import type { AddressProofResult } from '../documents/poa/result';
import type { RiskCode } from './risks';

/** The data that a sandbox result is built from. */
export interface SandboxInput {
  /** Id of the check: its end is used as the document number, so that no two checks show the same document. */
  checkId: string;
  /** YYYY-MM-DD */
  today: string;
  expected: ExpectedDetails | null;
  risks: readonly RiskCode[];
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
  overall: 88,
};

const buildRiskOutcome = (codes: readonly RiskCode[]) => {
  const risks = codes.map((code) => makeRisk(code));
  return { risks, status: computeVerdict(risks) };
};

const countYears = (birth: string, today: string): number =>
  Number(today.slice(0, 4)) - Number(birth.slice(0, 4)) - (today.slice(5) < birth.slice(5) ? 1 : 0);

const shiftYears = (date: string, years: number): string => `${Number(date.slice(0, 4)) + years}${date.slice(4)}`;

/** A passport of the fictional person, or of the expected one. */
function buildDocument({ checkId, today, expected, risks }: SandboxInput): DocumentResult {
  const firstName = expected?.firstName ?? 'Anna Maria';
  const lastName = expected?.lastName ?? 'Eriksson';
  const dateOfBirth = expected?.dateOfBirth ?? '1990-08-12';
  const issuingState = expected?.country ?? 'UTO';
  const isExpired = risks.includes('document_expired');
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
    ...buildRiskOutcome(risks),
    thresholds: {},
    models: [],
  };
}

/** A selfie that passes or fails by a wide margin. */
function buildLiveness({ risks }: SandboxInput): LivenessResult {
  const score = risks.includes('attack_suspected') ? 8 : risks.includes('liveness_low') ? 45 : 97;
  const hasFace = !risks.includes('no_face');
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
    ...buildRiskOutcome(risks),
    models: [],
  };
}

/** An estimate of 34 years, or of an age far below the minimum. */
function buildAge({ risks }: SandboxInput): AgeResult {
  const tooYoung = risks.includes('minimum_age_not_met');
  return {
    ...toAgeEstimate(tooYoung ? 9 : 34),
    errorByAge: [...AGE_BANDS],
    measuredOn: 'nothing: a sandbox result',
    minimumAge: null,
    meetsMinimumAge: null,
    face,
    faces: [face],
    rotation: 0,
    quality,
    ...buildRiskOutcome(risks),
    models: [],
  };
}

function buildFaceMatch({ risks }: SandboxInput): FaceMatchResult {
  const isMatch = risks.length === 0;
  const compared = !risks.some((code) => code.startsWith('no_face_in'));
  const similarity = isMatch ? 0.72 : 0.04;
  const image = { faces: [face], face, rotation: 0, quality } as const;
  const noFaceImage = { faces: [], face: null, rotation: 0, quality: null } as const;
  const buildImage = (code: RiskCode) => {
    const { faces, ...rest } = risks.includes(code) ? noFaceImage : image;
    return { ...rest, faces: [...faces] };
  };
  return {
    score: compared ? computeMatchScore(similarity) : null,
    similarity: compared ? similarity : null,
    match: isMatch,
    threshold: FACE_MATCH.match,
    reviewThreshold: FACE_MATCH.review,
    falseMatchRate: getFalseMatchRate(FACE_MATCH.match),
    measuredOn: 'nothing: a sandbox result',
    userImage: buildImage('no_face_in_user_image'),
    refImage: buildImage('no_face_in_ref_image'),
    ...buildRiskOutcome(risks),
    models: [],
  };
}

/** A register match whose fields agree or differ according to the risk. */
function buildDatabase({ risks }: SandboxInput): DatabaseResult {
  const covered = !risks.includes('database_not_available');
  const noMatch = risks.includes('database_no_match');
  const matchType = noMatch ? 'none' : risks.includes('database_partial_match') ? 'partial' : 'full';
  return {
    matchType: covered ? matchType : null,
    provider: covered ? 'register' : null,
    validations: [{ field: 'idNumber', status: covered ? (noMatch ? 'mismatch' : 'match') : 'not_checked' }],
    numberStatus: 'valid',
    dataAt: null,
    ...buildRiskOutcome(risks),
  };
}

/** A bill of the previous month, addressed to the fictional or expected person. */
function buildAddressProof({ today, expected, risks }: SandboxInput): AddressProofResult {
  const raw = expected?.address ?? '1 Example Street, Zenith';
  return {
    documentType: 'utility_bill',
    issuer: risks.includes('poa_issuer_not_found') ? null : 'Utopian Waterworks',
    issueDate: shiftYears(today, risks.includes('poa_too_old') ? -1 : 0),
    language: 'en',
    name: `${expected?.firstName ?? 'Anna Maria'} ${expected?.lastName ?? 'Eriksson'}`,
    otherNames: [],
    address: risks.includes('poa_address_not_found')
      ? null
      : { raw, street: null, city: null, region: null, postalCode: null, country: null },
    source: 'text_layer',
    pages: 1,
    confidence: 1,
    ...buildRiskOutcome(risks),
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
  const { risks } = input;
  const score = risks.includes('aml_match') ? 96 : risks.includes('aml_possible_match') ? 76 : 0;
  const stale = risks.includes('aml_list_stale');
  return {
    match: score >= MATCH_THRESHOLD,
    score,
    hits: score === 0 ? [] : [buildAmlHit(input, score)],
    thresholds: { review: MATCH_THRESHOLD, decline: null },
    listsSearched: [{ ...FICTIONAL_LISTS, ageHours: stale ? 100 : 0, stale }],
    ...buildRiskOutcome(risks),
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
