import { model, Schema } from 'mongoose';
import { CHECK_KINDS, CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import type { CheckDetails, CheckKind, CheckStatus, Finding } from '../../../domain/identity/checks/checks';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { Risk, Verdict } from '../../../domain/identity/checks/risks';
import type { AttemptOrigin } from '../../../domain/identity/sessions/steps';

/** A picture a check works on: its evidence, under the name the engine knows it by. */
export interface CheckInput {
  field: string;
  evidenceId: string;
}

export interface CheckRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  kind: CheckKind;
  /** null of a kind that always stands alone */
  feature: Feature | null;
  sessionId: string | null;
  /** Whose data key encrypts the evidence: the session's or, of a check that stands alone, its own. */
  recordId: string;
  origin: AttemptOrigin;
  /** Came to a session whose step had been decided: answered and kept, without weight in the session. */
  supplementary: boolean;
  inputs: CheckInput[];
  /** What it was told beside its pictures; personal data. */
  details: CheckDetails[CheckKind];
  /** The magic value of a check with a test key, which decides it instead of an engine. */
  sandbox: string | null;
  status: CheckStatus;
  verdict: Verdict | null;
  risks: Risk[];
  result: Finding | null;
  /** Why a failed check could not be run: an error code. */
  failure: string | null;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

/** A risk as records keep it. */
export const riskSchema = new Schema(
  {
    code: { type: String, required: true },
    severity: { type: String, required: true },
    action: { type: String, required: true },
    feature: { type: String, required: true },
    message: { type: String, required: true },
    details: { type: Schema.Types.Mixed },
  },
  { _id: false },
);

const inputSchema = new Schema(
  { field: { type: String, required: true }, evidenceId: { type: String, required: true } },
  { _id: false },
);

/** One examination of a document or a face, alone or as a step of a session. */
const checkSchema = new Schema<CheckRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    kind: { type: String, enum: CHECK_KINDS, required: true },
    feature: { type: String, enum: [...FEATURES, null], default: null },
    sessionId: { type: String, default: null },
    recordId: { type: String, required: true },
    origin: { type: String, enum: ['client', 'follow_on'], required: true },
    supplementary: { type: Boolean, required: true },
    inputs: { type: [inputSchema], required: true },
    details: { type: Schema.Types.Mixed, default: null },
    sandbox: { type: String, default: null },
    status: { type: String, enum: CHECK_STATUSES, required: true },
    verdict: { type: String, enum: ['approved', 'review', 'declined', null], default: null },
    risks: { type: [riskSchema], default: [] },
    result: { type: Schema.Types.Mixed, default: null },
    failure: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'checks', versionKey: false, strict: 'throw', minimize: false },
);
checkSchema.index({ organisationId: 1, mode: 1, sessionId: 1, _id: 1 });
checkSchema.index({ organisationId: 1, mode: 1, _id: -1 });
// Those that stand alone are looked for when their time is over.
checkSchema.index({ createdAt: 1 }, { partialFilterExpression: { sessionId: null, deletedAt: null } });

/** A check of one kind, with what that kind was told and found out. */
export type CheckOfKind<K extends CheckKind> = CheckRecord & {
  kind: K;
  details: CheckDetails[K];
  result: Finding<K> | null;
};

export const isCheckOfKind = <K extends CheckKind>(check: CheckRecord, kind: K): check is CheckOfKind<K> =>
  check.kind === kind;

export const Check = model<CheckRecord>('Check', checkSchema);
