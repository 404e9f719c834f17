import { z } from 'zod';
import { FEATURES } from '../../../domain/identity/sessions/features';
import { SHARE_INCLUDES } from '../../../domain/identity/sharing/sharing';
import { makeRisk } from '../../../domain/identity/checks/risks';
import { REVIEW_DECISIONS, SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import { findEffectiveResult } from '../../../services/identity/sessions/session-details';
import type { SessionDetail } from '../../../services/identity/sessions/session-details';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { orNull } from '../or-null';
import { amlResultSchema } from '../aml/result-responses';
import { addressProofResultSchema, documentResultSchema } from '../documents/result-responses';
import { ageResultSchema, faceMatchResultSchema, livenessResultSchema } from '../biometrics/result-responses';
import { databaseResultSchema } from '../database-validation/result-responses';
import { riskCodeSchema, riskSchema } from '../checks/risk-responses';

const featureSchema = z.enum(FEATURES).meta({ id: 'Feature' });
export const sessionStatusSchema = z.enum(SESSION_STATUSES).meta({ id: 'SessionStatus' });
const instant = z.iso.datetime();

const stepSchema = z
  .object({
    feature: featureSchema,
    status: z
      .enum(['not_run', 'processing', 'passed', 'review', 'retry', 'exhausted', 'declined'])
      .meta({ description: '`retry`: a better picture may help. `exhausted`: no attempts are left.' }),
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
      .meta({ description: "Id of the rule of the session's workflow that decided; null where none did." }),
    at: instant,
  })
  .meta({ id: 'Decision' });

const reviewSchema = z
  .object({
    decision: z.enum(REVIEW_DECISIONS),
    from: sessionStatusSchema,
    to: sessionStatusSchema,
    reason: z.string().nullable(),
    comment: z.string().nullable(),
    steps: z.array(featureSchema).meta({ description: 'Steps asked for again.' }),
    override: z.boolean(),
    by: z.string(),
    at: instant,
  })
  .meta({ id: 'Review' });

export const expectedDetailsSchema = z.object({
  firstName: z.string().optional(),
  lastName: z.string().optional(),
  dateOfBirth: z.string().optional(),
  nationality: z.string().optional(),
  country: z.string().optional(),
  documentNumber: z.string().optional(),
  address: z.string().optional(),
});

/** A session as lists show it. */
export const sessionSummarySchema = z
  .object({
    id: z.string(),
    number: z.number().int(),
    mode: z.enum(['live', 'test']),
    status: sessionStatusSchema,
    features: z.array(featureSchema),
    workflowId: z.string().nullable(),
    workflowVersion: z.number().int().nullable().meta({ description: 'The version it started with and keeps.' }),
    country: z
      .string()
      .nullable()
      .meta({ description: 'State of the document that was read, else the expected one, alpha-3.' }),
    url: z.null().meta({ description: 'Where the person is sent; null until the capture page exists.' }),
    externalId: z.string().nullable(),
    metadata: z.record(z.string(), z.unknown()).nullable(),
    decision: orNull(decisionSchema),
    createdAt: instant,
    expiresAt: instant.meta({ description: 'A session not opened by then expires.' }),
    startedAt: instant.nullable(),
    lastActivityAt: instant,
    reviewSince: instant.nullable(),
    finishedAt: instant.nullable(),
    approvalExpiresAt: instant.nullable().meta({ description: 'When the approval lapses; null where it does not.' }),
    retainUntil: instant.nullable().meta({ description: 'When it is erased; null where it is kept.' }),
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
    imported: orNull(
      z.object({
        issuer: z.string(),
        shareId: z.string(),
        include: z.array(z.enum(SHARE_INCLUDES)),
        trusted: z.boolean().meta({ description: 'The decision was taken over without a review here.' }),
        consent: z.object({ text: z.string(), at: instant }),
        at: instant,
      }),
    ).meta({ description: 'Where the session came from; null for one that was created here.' }),
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
        sha256: z.string().meta({ description: 'Of the file as sent.' }),
        createdAt: instant,
      }),
    ),
  })
  .meta({ id: 'Session' });

export const pendingSessionSchema = sessionSummarySchema
  .extend({
    risks: z.array(riskSchema).meta({ description: 'What sent the session to review.' }),
  })
  .meta({ id: 'PendingSession' });

const toIsoString = (date: Date | null): string | null => date?.toISOString() ?? null;

const presentDecision = ({ decision }: SessionRecord): z.infer<typeof decisionSchema> | null =>
  decision === null ? null : { ...decision, at: decision.at.toISOString() };

/** A session without its results. */
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

/** A session of the reviewers' queue, with the risks it was sent there for. */
export const presentPendingSession = (session: SessionRecord): z.infer<typeof pendingSessionSchema> => ({
  ...presentSessionSummary(session),
  risks: (session.decision?.reasons ?? []).map((code) =>
    makeRisk(code, { action: 'review' }, session.settings.actions),
  ),
});

const presentResults = (detail: SessionDetail): z.infer<typeof sessionSchema>['results'] => ({
  document: findEffectiveResult(detail, 'id_verification'),
  liveness: findEffectiveResult(detail, 'liveness'),
  faceMatch: findEffectiveResult(detail, 'face_match'),
  age: findEffectiveResult(detail, 'age'),
  database: findEffectiveResult(detail, 'database_validation'),
  poa: findEffectiveResult(detail, 'proof_of_address'),
  aml: findEffectiveResult(detail, 'aml_screening'),
});

const presentOrigin = ({ imported }: SessionRecord): z.infer<typeof sessionSchema>['imported'] =>
  // Sessions older than imports have no such field.
  imported == null
    ? null
    : {
        issuer: imported.issuer,
        shareId: imported.shareId,
        include: imported.include,
        trusted: imported.trusted,
        consent: { text: imported.consent.text, at: imported.consent.at.toISOString() },
        at: imported.at.toISOString(),
      };

/** A session with everything found out so far. */
export function presentSession(detail: SessionDetail): z.infer<typeof sessionSchema> {
  const { session } = detail;
  return {
    ...presentSessionSummary(session),
    callbackUrl: session.callbackUrl,
    language: session.language,
    expected: session.expected,
    contact: session.contact,
    steps: detail.steps,
    imported: presentOrigin(session),
    reviews: session.reviews.map((review) => ({ ...review, at: review.at.toISOString() })),
    results: presentResults(detail),
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
    reasons: ['image_blurred'],
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
  imported: null,
  results: { document: null, liveness: null, faceMatch: null, age: null, database: null, poa: null, aml: null },
  risks: [
    { code: 'image_blurred', severity: 'medium', action: 'review', feature: 'id', message: 'The image is blurred.' },
  ],
  evidence: [],
};
