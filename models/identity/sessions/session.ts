import { model, Schema } from 'mongoose';
import type { DocumentChoice } from '../../../domain/identity/capture/document-choice';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { DecidedBy } from '../../../domain/identity/sessions/decision';
import type { ExpectedDetails } from '../../../domain/identity/sessions/expected-details';
import { RISK_CODES, VERDICTS } from '../../../domain/identity/checks/risks';
import type { RiskCode } from '../../../domain/identity/checks/risks';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { ReviewDecision, SessionStatus } from '../../../domain/identity/sessions/session';
import type { ShareInclude } from '../../../domain/identity/sharing/sharing';
import type { SessionSettings } from '../../../domain/identity/sessions/settings';
import type { Step } from '../../../domain/identity/sessions/steps';
import { sealFields } from '../../sealed-fields';

/** The decision behind a session's present outcome. */
export interface SessionDecision {
  outcome: SessionStatus;
  reasons: RiskCode[];
  decidedBy: DecidedBy;
  /** Id of the organisation's rule that decided; null if none did. */
  rule: string | null;
  at: Date;
}

/** One reviewer's decision; reviews are only appended. */
export interface SessionReview {
  decision: ReviewDecision;
  from: SessionStatus;
  to: SessionStatus;
  reason: string | null;
  comment: string | null;
  /** The features that a resubmission repeats. */
  steps: Feature[];
  override: boolean;
  /** The credential or user. */
  by: string;
  at: Date;
}

/** A note of a reviewer, which decides nothing; notes are only appended. */
export interface SessionNote {
  id: string;
  text: string;
  /** The credential or user. */
  by: string;
  at: Date;
}

/** The source of an imported session, and the person's consent to the transfer. */
export interface SessionOrigin {
  issuer: string;
  /** The sharing organisation; null if its installation does not name it. */
  organisation?: { id: string; name: string } | null;
  shareId: string;
  /** The session's id at the issuer. */
  sessionId: string;
  include: ShareInclude[];
  /** True if the decision was adopted without a review by the importing organisation. */
  trusted: boolean;
  consent: { text: string; at: Date };
  at: Date;
}

/** The consent of the person on the capture page, with the text as it was shown. */
export interface CaptureConsent {
  version: string;
  language: string;
  text: string;
  at: Date;
}

/** The front of a document that the person has photographed before its back; it belongs to no check yet. */
interface KeptFront {
  evidenceId: string;
  at: Date;
}

export interface SessionRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Sequential number from 1 per organisation and mode. */
  number: number;
  status: SessionStatus;
  features: Feature[];
  /** The template that it started with, and the version whose rules decide it; null without a template. */
  templateId: string | null;
  templateVersion: number | null;
  externalId: string | null;
  /** Blind index of the externalId. */
  externalIdKey: string | null;
  /** The tokens that a search matches: its id and number, and blind indexes of the prefixes of its externalId. */
  searchTokens: string[];
  metadata: Record<string, unknown> | null;
  callbackUrl: string | null;
  language: string | null;
  expected: ExpectedDetails | null;
  contact: { email?: string | undefined; phone?: string | undefined } | null;
  /** ISO 3166-1 alpha-3: the issuing state of the document, else the expected country. */
  country: string | null;
  settings: SessionSettings;
  steps: Step[];
  /** Absent unless the person has consented on the capture page. */
  consent?: CaptureConsent | null;
  /** The document that the person has chosen on the capture page; absent before. */
  documentChoice?: DocumentChoice | null;
  /** Absent or null unless the capture page has kept the front and waits for the back. */
  keptFront?: KeptFront | null;
  /** Liveness challenges drawn since its liveness step was last requested; absent: none. */
  drawnChallenges?: number;
  decision: SessionDecision | null;
  reviews: SessionReview[];
  /** Absent until the first note is added. */
  notes?: SessionNote[] | null;
  /** Number of its present workflow: an override that reopens a finished session starts the next one. */
  opening: number;
  /**
   * The type of the Temporal workflow that follows the session. Absent if version 0.1 started it: it is then followed by
   * the workflow `session`, and each of its checks has a workflow of its own.
   */
  followedBy?: 'verification';
  /** Null unless the session was imported. */
  imported: SessionOrigin | null;
  /** Raised by every change; writes check it, and the keys of events contain it. */
  version: number;
  /** How many of the changes were guards, after which reviewers see what they saw before; absent: none. */
  guards?: number;
  createdBy: string;
  createdAt: Date;
  /** When the session expires unless it has been started. */
  expiresAt: Date;
  startedAt: Date | null;
  lastActivityAt: Date;
  /** Since when the session has been waiting for a reviewer. */
  reviewSince: Date | null;
  finishedAt: Date | null;
  /** When the approval expires; null if it does not. */
  approvalExpiresAt: Date | null;
  /** When a finished session is erased; null if it is kept. */
  retainUntil: Date | null;
  deletedAt: Date | null;
}

const attemptSchema = new Schema(
  {
    checkId: { type: String, required: true },
    at: { type: Date, required: true },
    origin: { type: String, enum: ['client', 'follow_on'], required: true },
    outcome: { type: String, enum: ['processing', 'failed', ...VERDICTS], required: true },
    risks: { type: [new Schema({ code: String, action: String }, { _id: false })], default: [] },
    pair: { type: String },
    superseded: { type: Boolean, required: true },
    outdated: { type: Boolean },
  },
  { _id: false },
);

const stepSchema = new Schema(
  {
    feature: { type: String, enum: FEATURES, required: true },
    attempts: { type: [attemptSchema], default: [] },
  },
  { _id: false },
);

const decisionSchema = new Schema(
  {
    outcome: { type: String, enum: SESSION_STATUSES, required: true },
    reasons: { type: [{ type: String, enum: RISK_CODES }], default: [] },
    decidedBy: { type: String, enum: ['rules', 'reviewer'], required: true },
    rule: { type: String, default: null },
    at: { type: Date, required: true },
  },
  { _id: false },
);

/** A verification session: its settings, its steps with their attempts, and its decision. */
const sessionSchema = new Schema<SessionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    number: { type: Number, required: true },
    status: { type: String, enum: SESSION_STATUSES, required: true },
    features: { type: [{ type: String, enum: FEATURES }], required: true },
    templateId: { type: String, default: null },
    templateVersion: { type: Number, default: null },
    externalId: { type: Schema.Types.Mixed, default: null },
    externalIdKey: { type: String, default: null },
    searchTokens: { type: [String], default: [] },
    metadata: { type: Schema.Types.Mixed, default: null },
    callbackUrl: { type: String, default: null },
    language: { type: String, default: null },
    expected: { type: Schema.Types.Mixed, default: null },
    contact: { type: Schema.Types.Mixed, default: null },
    country: { type: String, default: null },
    settings: { type: Schema.Types.Mixed, required: true },
    steps: { type: [stepSchema], required: true },
    consent: { type: Schema.Types.Mixed },
    documentChoice: { type: Schema.Types.Mixed },
    keptFront: { type: Schema.Types.Mixed },
    drawnChallenges: { type: Number },
    decision: { type: decisionSchema, default: null },
    reviews: { type: Schema.Types.Mixed, default: () => [] },
    notes: { type: Schema.Types.Mixed },
    opening: { type: Number, required: true },
    followedBy: { type: String, enum: ['verification'] },
    imported: { type: Schema.Types.Mixed, default: null },
    version: { type: Number, required: true },
    guards: { type: Number },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
    startedAt: { type: Date, default: null },
    lastActivityAt: { type: Date, required: true },
    reviewSince: { type: Date, default: null },
    finishedAt: { type: Date, default: null },
    approvalExpiresAt: { type: Date, default: null },
    retainUntil: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'sessions', versionKey: false, strict: 'throw', minimize: false },
);
sealFields(sessionSchema, {
  collection: 'sessions',
  fields: ['externalId', 'metadata', 'expected', 'contact', 'reviews', 'notes', 'imported'],
  owner: '_id',
});
sessionSchema.index({ organisationId: 1, mode: 1, number: 1 }, { unique: true });
// Lists exclude deleted sessions: with `deletedAt` in the index, totals are counted without reading any session.
const listIndexPrefix = { organisationId: 1, mode: 1, deletedAt: 1 } as const;
sessionSchema.index({ ...listIndexPrefix, _id: -1 });
sessionSchema.index({ ...listIndexPrefix, status: 1, _id: -1 });
sessionSchema.index({ ...listIndexPrefix, externalIdKey: 1, _id: -1 });
sessionSchema.index({ ...listIndexPrefix, templateId: 1, _id: -1 });
sessionSchema.index({ ...listIndexPrefix, country: 1, _id: -1 });
sessionSchema.index({ ...listIndexPrefix, createdAt: -1, _id: -1 });
/** Searches are counted in this index alone: a deleted session has no tokens, so `deletedAt` is not needed. */
export const SEARCH_INDEX = { organisationId: 1, mode: 1, searchTokens: 1, _id: -1 } as const;
sessionSchema.index(SEARCH_INDEX);
// The review queue, longest waiting first.
sessionSchema.index({ ...listIndexPrefix, status: 1, reviewSince: 1, _id: 1 });
/**
 * Statistics of a period are computed from this index alone. MongoDB reads the document to decide whether a field is
 * null, so that they are grouped by `deletedAt` instead of filtered by it.
 */
export const STATISTICS_INDEX = {
  organisationId: 1,
  mode: 1,
  createdAt: 1,
  status: 1,
  'decision.decidedBy': 1,
  startedAt: 1,
  'decision.at': 1,
  deletedAt: 1,
} as const;
sessionSchema.index(STATISTICS_INDEX);

// Serve the Schedules that expire approvals and erase sessions, over all organisations.
sessionSchema.index({ approvalExpiresAt: 1 }, { partialFilterExpression: { approvalExpiresAt: { $type: 'date' } } });
sessionSchema.index({ retainUntil: 1 }, { partialFilterExpression: { retainUntil: { $type: 'date' } } });

export const Session = model<SessionRecord>('Session', sessionSchema);
