import { z } from 'zod';
import { CHECK_KINDS, CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { JsonReplyDoc, ReplyFor } from '../../http/route';
import { orNull } from '../or-null';
import { presentResultHits, readReviewers } from '../aml/hit-reviews';
import { amlResultSchema } from '../aml/result-responses';
import { addressProofResultSchema, documentResultSchema } from '../documents/result-responses';
import {
  ageResultSchema,
  faceMatchResultSchema,
  faceSearchResultSchema,
  livenessResultSchema,
} from '../biometrics/result-responses';
import { databaseResultSchema } from '../database-validation/result-responses';
import { exampleRisk, riskSchema, verdictSchema } from './risk-responses';

/** The schema of a check with the given schema of its result. */
const buildCheckSchema = <R extends z.ZodType>(result: R) =>
  z.object({
    id: z.string(),
    kind: z.enum(CHECK_KINDS),
    feature: z
      .enum(FEATURES)
      .nullable()
      .meta({ description: 'Feature whose step the check fulfils; null for a kind that is always standalone.' }),
    mode: z.enum(['live', 'test']),
    sessionId: z.string().nullable(),
    status: z.enum(CHECK_STATUSES).meta({ description: '`failed`: the check could not be run and has no result.' }),
    outcome: orNull(verdictSchema).meta({
      description: 'Verdict; null until the check is completed, and if it failed.',
    }),
    supplementary: z.boolean().meta({
      description:
        'True for a comparison submitted after the session was decided by its own comparison: it has a result, but does not affect the session.',
    }),
    risks: z.array(riskSchema),
    result: orNull(result),
    error: z.object({ code: z.string(), message: z.string() }).nullable(),
    evidence: z.array(z.object({ id: z.string(), field: z.string() })),
    createdAt: z.iso.datetime(),
    completedAt: z.iso.datetime().nullable(),
  });

export const checkSchema = buildCheckSchema(
  z.union([
    documentResultSchema,
    addressProofResultSchema,
    livenessResultSchema,
    faceMatchResultSchema,
    ageResultSchema,
    faceSearchResultSchema,
    databaseResultSchema,
    amlResultSchema,
  ]),
).meta({ id: 'Check' });

/** A check in lists: everything but its result. */
export const checkSummarySchema = checkSchema.omit({ result: true }).meta({ id: 'CheckSummary' });

export type CheckResponse = z.infer<typeof checkSchema>;

export const checkReplySchemas = {
  id_verification: z.object({ check: buildCheckSchema(documentResultSchema).meta({ id: 'DocumentCheck' }) }),
  proof_of_address: z.object({ check: buildCheckSchema(addressProofResultSchema).meta({ id: 'AddressProofCheck' }) }),
  liveness: z.object({ check: buildCheckSchema(livenessResultSchema).meta({ id: 'LivenessCheck' }) }),
  face_match: z.object({ check: buildCheckSchema(faceMatchResultSchema).meta({ id: 'FaceMatchCheck' }) }),
  age: z.object({ check: buildCheckSchema(ageResultSchema).meta({ id: 'AgeCheck' }) }),
  face_search: z.object({ check: buildCheckSchema(faceSearchResultSchema).meta({ id: 'FaceSearchCheck' }) }),
  database_validation: z.object({ check: buildCheckSchema(databaseResultSchema).meta({ id: 'DatabaseCheck' }) }),
  aml_screening: z.object({ check: buildCheckSchema(amlResultSchema).meta({ id: 'AmlCheck' }) }),
};

export const exampleCheck = {
  id: 'chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7',
  kind: 'face_match',
  feature: 'face_match',
  mode: 'live',
  sessionId: 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  status: 'completed',
  outcome: 'declined',
  supplementary: false,
  risks: [exampleRisk],
  result: {
    status: 'declined',
    risks: [exampleRisk],
    score: 1.2,
    similarity: 0.08,
    captureCorrelation: 0.21,
    match: false,
    threshold: 0.36,
    reviewThreshold: 0.29,
    falseMatchRate: 0.00068,
    measuredOn: '450 same and 4500 different pairs of public photographs',
    userImage: { faces: [], face: null, rotation: 0, quality: null },
    refImage: { faces: [], face: null, rotation: 0, quality: null },
    models: [],
  },
  error: null,
  evidence: [
    { id: 'evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z8', field: 'userImage' },
    { id: 'evd_01JQZ4R8W3M6N9P2T5V8X1Y4Z9', field: 'refImage' },
  ],
  createdAt: '2026-11-21T10:00:00.000Z',
  completedAt: '2026-11-21T10:00:01.000Z',
};

export const exampleCheckSummary = Object.fromEntries(
  Object.entries(exampleCheck).filter(([name]) => name !== 'result'),
);

/**
 * Responses of a route that creates a check. They are typed by the schema of every kind, since the kind of a stored
 * check is known only at run time; the OpenAPI document has the schema of the route's own kind.
 */
export type CheckReplyDocs = Record<
  201 | 202,
  JsonReplyDoc<z.ZodObject<{ check: z.ZodType<CheckResponse, CheckResponse> }>>
>;

/** The result of a check; the reviews of its hits have the names of the reviewers. */
async function presentResult(check: CheckRecord): Promise<CheckResponse['result']> {
  const { organisationId, result, verdict: status, risks } = check;
  if (result === null || status === null) return null;
  if (!('hits' in result)) return { ...result, status, risks };
  const names = await readReviewers(organisationId, result.hits);
  return { ...result, hits: presentResultHits(result.hits, names), status, risks };
}

/** Presents a check that was read without its result. */
export function presentCheckSummary(check: Omit<CheckRecord, 'result'>): z.infer<typeof checkSummarySchema> {
  return {
    id: check._id,
    kind: check.kind,
    feature: check.feature,
    mode: check.mode,
    sessionId: check.sessionId,
    status: check.status,
    outcome: check.verdict,
    supplementary: check.supplementary,
    risks: check.risks,
    error:
      check.failure === null
        ? null
        : { code: check.failure, message: 'The check could not be completed and has no result.' },
    evidence: check.inputs.map(({ evidenceId, field }) => ({ id: evidenceId, field })),
    createdAt: check.createdAt.toISOString(),
    completedAt: check.completedAt?.toISOString() ?? null,
  };
}

/** Presents a check with its result. */
export const presentCheck = async (check: CheckRecord): Promise<CheckResponse> => ({
  ...presentCheckSummary(check),
  result: await presentResult(check),
});

/** The response to a new check: 201 with its result, or 202 with its location while it is processing. */
export async function buildCheckReply(check: CheckRecord): Promise<ReplyFor<CheckReplyDocs>> {
  const body = { check: await presentCheck(check) };
  return check.status === 'processing'
    ? { status: 202, body, headers: { Location: `/v1/checks/${check._id}` } }
    : { status: 201, body };
}
