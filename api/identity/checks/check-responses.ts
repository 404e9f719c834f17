import { z } from 'zod';
import { CHECK_KINDS, CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { JsonReplyDoc, ReplyFor } from '../../http/route';
import { orNull } from '../or-null';
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

/** A check whose result is described by `result`. */
const buildCheckSchema = <R extends z.ZodType>(result: R) =>
  z.object({
    id: z.string(),
    kind: z.enum(CHECK_KINDS),
    feature: z.enum(FEATURES).nullable().meta({ description: 'Null of a kind that always stands alone.' }),
    mode: z.enum(['live', 'test']),
    sessionId: z.string().nullable(),
    status: z.enum(CHECK_STATUSES).meta({ description: '`failed`: it could not be run, nothing was found out.' }),
    outcome: orNull(verdictSchema).meta({ description: 'Null until completed, and where it failed.' }),
    supplementary: z.boolean().meta({
      description:
        "Came after the session's own comparison had decided it; answered and kept, without weight in the session.",
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
    match: false,
    threshold: 0.31,
    reviewThreshold: 0.25,
    falseMatchRate: 0.001,
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

/**
 * Responses of a route that creates a check. They are typed by the schema of every kind, since the kind of a stored
 * check is known only at run time; the OpenAPI document has the schema of the route's own kind.
 */
export type CheckReplyDocs = Record<
  201 | 202,
  JsonReplyDoc<z.ZodObject<{ check: z.ZodType<CheckResponse, CheckResponse> }>>
>;

/** A check as the contract shows it. */
export function presentCheck(check: CheckRecord): CheckResponse {
  const { result, verdict: outcome, risks } = check;
  return {
    id: check._id,
    kind: check.kind,
    feature: check.feature,
    mode: check.mode,
    sessionId: check.sessionId,
    status: check.status,
    outcome,
    supplementary: check.supplementary,
    risks,
    result: result === null || outcome === null ? null : { ...result, status: outcome, risks },
    error:
      check.failure === null
        ? null
        : { code: check.failure, message: 'The check could not be completed; nothing was found out.' },
    evidence: check.inputs.map(({ evidenceId, field }) => ({ id: evidenceId, field })),
    createdAt: check.createdAt.toISOString(),
    completedAt: check.completedAt?.toISOString() ?? null,
  };
}

/** The answer of a route that made a check: whole where it has ended, else where to look for it. */
export function buildCheckReply(check: CheckRecord): ReplyFor<CheckReplyDocs> {
  const body = { check: presentCheck(check) };
  return check.status === 'processing'
    ? { status: 202, body, headers: { Location: `/v1/checks/${check._id}` } }
    : { status: 201, body };
}
