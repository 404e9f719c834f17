import { z } from 'zod';
import { toIsoString } from '../../../domain/iso-time';
import { SHARE_INCLUDES } from '../../../domain/identity/sharing/sharing';
import { buildRisk } from '../../../domain/identity/checks/risks';
import { findEffectiveResult } from '../../../services/identity/sessions/session-details';
import type { SessionDetail } from '../../../services/identity/sessions/session-details';
import type { ReviewedSession } from '../../../services/identity/sessions/reviewed-session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { orNull } from '../or-null';
import type { ActorNames } from '../../platform/access/actor-names';
import { presentResultHits } from '../aml/hit-reviews';
import { amlResultSchema } from '../aml/result-responses';
import { addressProofResultSchema, documentResultSchema } from '../documents/result-responses';
import { ageResultSchema, faceMatchResultSchema, livenessResultSchema } from '../biometrics/result-responses';
import { databaseResultSchema } from '../database-validation/result-responses';
import { riskCodeSchema, riskSchema } from '../checks/risk-responses';
import { noteSchema, presentNote, presentReview, reviewSchema } from './review-responses';
import { featureSchema, sessionStatusSchema } from './session-values';

const instant = z.iso.datetime();

const stepSchema = z
  .object({
    feature: featureSchema,
    status: z
      .enum(['not_run', 'processing', 'passed', 'review', 'retry', 'exhausted', 'declined'])
      .meta({ description: '`retry`: a better image may help. `exhausted`: no attempts are left.' }),
    attempts: z.number().int(),
    attemptsLeft: z.number().int(),
    checkIds: z.array(z.string()),
  })
  .meta({ id: 'Step' });

const decisionSchema = z
  .object({
    outcome: sessionStatusSchema,
    reasons: z.array(riskCodeSchema),
    decidedBy: z.enum(['rules', 'reviewer']),
    rule: z
      .string()
      .nullable()
      .meta({ description: "Id of the rule of the session's workflow that decided; null if none did." }),
    at: instant,
  })
  .meta({ id: 'Decision' });

export const expectedDetailsSchema = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  dateOfBirth: z.string().optional(),
  nationality: z.string().optional(),
  country: z.string().optional(),
  documentNumber: z.string().optional(),
  address: z.string().optional(),
});

/** The fields of a session in lists. */
export const sessionSummarySchema = z
  .object({
    id: z.string(),
    number: z.number().int(),
    mode: z.enum(['live', 'test']),
    status: sessionStatusSchema,
    features: z.array(featureSchema),
    workflowId: z.string().nullable(),
    workflowVersion: z
      .number()
      .int()
      .nullable()
      .meta({ description: 'Version of the workflow that the session started with and keeps.' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'Issuing state of the document, else the expected country; ISO 3166-1 alpha-3.' }),
    url: z.string().nullable().meta({
      description:
        'Link to the capture page for the person, which opens it once; only in the response that creates the session, otherwise null. Null also for a session that the page cannot complete.',
    }),
    externalId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    decision: orNull(decisionSchema),
    createdAt: instant,
    expiresAt: instant.meta({ description: 'Time at which the session expires unless it has been started.' }),
    startedAt: instant.nullable(),
    lastActivityAt: instant,
    reviewSince: instant.nullable(),
    finishedAt: instant.nullable(),
    approvalExpiresAt: instant
      .nullable()
      .meta({ description: 'Time at which the approval expires; null if it does not.' }),
    retainUntil: instant.nullable().meta({ description: 'Time at which the session is erased; null if it is kept.' }),
  })
  .meta({ id: 'SessionSummary' });

const buildSessionResultSchema = <R extends z.ZodObject>(result: R) => orNull(result.extend({ checkId: z.string() }));

export const sessionSchema = sessionSummarySchema
  .extend({
    callbackUrl: z.string().nullable(),
    language: z.string().nullable(),
    expected: expectedDetailsSchema.nullable(),
    contact: z.object({ email: z.string().optional(), phone: z.string().optional() }).nullable(),
    steps: z.array(stepSchema),
    reviews: z.array(reviewSchema),
    notes: z.array(noteSchema).meta({ description: 'Notes of reviewers without a decision, the first one first.' }),
    imported: orNull(
      z.object({
        issuer: z.string(),
        organisation: z
          .object({ id: z.string(), name: z.string() })
          .nullable()
          .meta({ description: 'The sharing organisation; null for shares of earlier versions.' }),
        shareId: z.string(),
        include: z.array(z.enum(SHARE_INCLUDES)),
        trusted: z
          .boolean()
          .meta({ description: 'Whether the decision was adopted without a review by the importing organisation.' }),
        consent: z.object({ text: z.string(), at: instant }),
        at: instant,
      }),
    ).meta({ description: 'Source of an imported session; null for other sessions.' }),
    consent: orNull(z.object({ version: z.string(), language: z.string(), text: z.string(), at: instant })).meta({
      description: 'Consent of the person on the capture page, with the text that was shown.',
    }),
    results: z.object({
      document: buildSessionResultSchema(documentResultSchema),
      liveness: buildSessionResultSchema(livenessResultSchema),
      faceMatch: buildSessionResultSchema(faceMatchResultSchema),
      age: buildSessionResultSchema(ageResultSchema),
      database: buildSessionResultSchema(databaseResultSchema),
      poa: buildSessionResultSchema(addressProofResultSchema),
      aml: buildSessionResultSchema(amlResultSchema),
    }),
    risks: z.array(riskSchema),
    evidence: z.array(
      z.object({
        id: z.string(),
        checkId: z.string(),
        field: z.string(),
        contentType: z.string(),
        bytes: z.number().int(),
        sha256: z.string().meta({ description: 'SHA-256 of the file as sent, hex.' }),
        createdAt: instant,
      }),
    ),
  })
  .meta({ id: 'Session' });

export const pendingSessionSchema = sessionSummarySchema
  .extend({
    risks: z.array(riskSchema).meta({ description: 'Risks that caused the review.' }),
  })
  .meta({ id: 'PendingSession' });

const presentDecision = ({ decision }: SessionRecord): z.infer<typeof decisionSchema> | null =>
  decision === null ? null : { ...decision, at: decision.at.toISOString() };

/** Presents a session without its results. */
export function presentSessionSummary(session: SessionRecord): z.infer<typeof sessionSummarySchema> {
  return {
    id: session._id,
    number: session.number,
    mode: session.mode,
    status: session.status,
    features: session.features,
    workflowId: session.templateId,
    workflowVersion: session.templateVersion,
    country: session.country,
    url: null,
    externalId: session.externalId,
    metadata: session.metadata,
    decision: presentDecision(session),
    createdAt: session.createdAt.toISOString(),
    expiresAt: session.expiresAt.toISOString(),
    startedAt: toIsoString(session.startedAt),
    lastActivityAt: session.lastActivityAt.toISOString(),
    reviewSince: toIsoString(session.reviewSince),
    finishedAt: toIsoString(session.finishedAt),
    approvalExpiresAt: toIsoString(session.approvalExpiresAt),
    retainUntil: toIsoString(session.retainUntil),
  };
}

/** Presents a session of the review queue with the risks that caused the review. */
export const presentPendingSession = (session: SessionRecord): z.infer<typeof pendingSessionSchema> => ({
  ...presentSessionSummary(session),
  risks: (session.decision?.reasons ?? []).map((code) =>
    buildRisk(code, { action: 'review' }, session.settings.actions),
  ),
});

function presentAmlResult(detail: SessionDetail, names: ActorNames): z.infer<typeof sessionSchema>['results']['aml'] {
  const result = findEffectiveResult(detail, 'aml_screening');
  return result === null ? null : { ...result, hits: presentResultHits(result.hits, names) };
}

const presentResults = (detail: SessionDetail, names: ActorNames): z.infer<typeof sessionSchema>['results'] => ({
  document: findEffectiveResult(detail, 'id_verification'),
  liveness: findEffectiveResult(detail, 'liveness'),
  faceMatch: findEffectiveResult(detail, 'face_match'),
  age: findEffectiveResult(detail, 'age'),
  database: findEffectiveResult(detail, 'database_validation'),
  poa: findEffectiveResult(detail, 'proof_of_address'),
  aml: presentAmlResult(detail, names),
});

const presentOrigin = ({ imported }: SessionRecord): z.infer<typeof sessionSchema>['imported'] =>
  imported === null
    ? null
    : {
        issuer: imported.issuer,
        organisation: imported.organisation ?? null,
        shareId: imported.shareId,
        include: imported.include,
        trusted: imported.trusted,
        consent: { text: imported.consent.text, at: imported.consent.at.toISOString() },
        at: imported.at.toISOString(),
      };

/** Presents a session with all results so far; a session that was just created or imported has no reviews. */
export function presentSession(detail: SessionDetail & Partial<ReviewedSession>): z.infer<typeof sessionSchema> {
  const { session, actorNames = new Map<string, string>() } = detail;
  return {
    ...presentSessionSummary(session),
    callbackUrl: session.callbackUrl,
    language: session.language,
    expected: session.expected,
    contact: session.contact,
    steps: detail.steps,
    imported: presentOrigin(session),
    consent: session.consent == null ? null : { ...session.consent, at: session.consent.at.toISOString() },
    reviews: session.reviews.map((review) => presentReview(review, actorNames)),
    notes: (session.notes ?? []).map((note) => presentNote(note, actorNames)),
    results: presentResults(detail, actorNames),
    risks: detail.risks,
    evidence: detail.evidence.map(({ _id, checkId, field, contentType, bytes, sha256, createdAt }) => ({
      id: _id,
      checkId,
      field,
      contentType,
      bytes,
      sha256,
      createdAt: createdAt.toISOString(),
    })),
  };
}

export const exampleSessionSummary = {
  id: 'ses_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  number: 17,
  mode: 'live',
  status: 'in_review',
  features: ['id', 'liveness', 'face_match'],
  workflowId: 'wfl_01JQZ4QXKD0A3C6F9H2J5M8P1R',
  workflowVersion: 2,
  country: 'FRA',
  url: null,
  externalId: 'customer-4711',
  metadata: { branch: 'Lyon' },
  decision: {
    outcome: 'in_review',
    reasons: ['mrz_check_failed'],
    decidedBy: 'rules',
    rule: null,
    at: '2026-11-21T10:00:05.000Z',
  },
  createdAt: '2026-11-21T09:58:00.000Z',
  expiresAt: '2026-11-28T09:58:00.000Z',
  startedAt: '2026-11-21T09:59:00.000Z',
  lastActivityAt: '2026-11-21T10:00:05.000Z',
  reviewSince: '2026-11-21T10:00:05.000Z',
  finishedAt: null,
  approvalExpiresAt: null,
  retainUntil: null,
};

export const exampleSession = {
  ...exampleSessionSummary,
  callbackUrl: 'https://shop.example/verified',
  language: 'fr',
  expected: { lastName: 'Moreau' },
  contact: null,
  steps: [
    { feature: 'id', status: 'review', attempts: 1, attemptsLeft: 2, checkIds: ['chk_01JQZ4R8W3M6N9P2T5V8X1Y4Z7'] },
    {
      feature: 'liveness',
      status: 'passed',
      attempts: 1,
      attemptsLeft: 2,
      checkIds: ['chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZA'],
    },
    {
      feature: 'face_match',
      status: 'passed',
      attempts: 1,
      attemptsLeft: 2,
      checkIds: ['chk_01JQZ4R8W3M6N9P2T5V8X1Y4ZB'],
    },
  ],
  reviews: [],
  notes: [],
  imported: null,
  consent: null,
  results: { document: null, liveness: null, faceMatch: null, age: null, database: null, poa: null, aml: null },
  risks: [
    {
      code: 'mrz_check_failed',
      severity: 'high',
      action: 'review',
      feature: 'id',
      message: 'A check digit of the machine-readable zone does not verify.',
    },
  ],
  evidence: [],
};
