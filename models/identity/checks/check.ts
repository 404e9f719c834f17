import { model, Schema } from 'mongoose';
import { CHECK_KINDS, CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import type { CheckDetails, CheckKind, CheckStatus, Finding } from '../../../domain/identity/checks/checks';
import { FEATURES } from '../../../domain/identity/sessions/features';
import type { Feature } from '../../../domain/identity/sessions/features';
import { VERDICTS } from '../../../domain/identity/checks/risks';
import type { Risk, Verdict } from '../../../domain/identity/checks/risks';
import type { AttemptOrigin } from '../../../domain/identity/sessions/steps';
import { sealFields } from '../../sealed-fields';

/** An image that a check examines: its evidence, under the name that the engine expects. */
export interface CheckInput {
  field: string;
  evidenceId: string;
}

export interface CheckRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  kind: CheckKind;
  /** Null for a kind that is always standalone. */
  feature: Feature | null;
  sessionId: string | null;
  /** The record whose data key encrypts the evidence: the session, else the check itself. */
  recordId: string;
  origin: AttemptOrigin;
  /** Submitted after the session was decided: stored and answered, but without effect on the session. */
  supplementary: boolean;
  inputs: CheckInput[];
  /** Parameters of the kind in addition to the images; personal data. */
  details: CheckDetails[CheckKind];
  /** The sandbox value of a check with a test key, which decides the check instead of its engine. */
  sandbox: string | null;
  status: CheckStatus;
  verdict: Verdict | null;
  risks: Risk[];
  result: Finding | null;
  /** Ids of the faces in the result of a face search, by which the erasure of a face finds the search. */
  foundFaces: string[];
  /** The error code of a check that could not be run. */
  failure: string | null;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

const inputSchema = new Schema(
  { field: { type: String, required: true }, evidenceId: { type: String, required: true } },
  { _id: false },
);

/** An examination of a document, a face or personal details, standalone or as a step of a session. */
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
    verdict: { type: String, enum: [...VERDICTS, null], default: null },
    risks: { type: Schema.Types.Mixed, default: () => [] },
    result: { type: Schema.Types.Mixed, default: null },
    foundFaces: { type: [String], default: [] },
    failure: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'checks', versionKey: false, strict: 'throw', minimize: false },
);
sealFields(checkSchema, { collection: 'checks', fields: ['details', 'risks', 'result'], owner: 'recordId' });
checkSchema.index({ organisationId: 1, mode: 1, sessionId: 1, _id: 1 });
// With `deletedAt` in the index, totals of lists are counted without reading any check.
checkSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });
/** Statistics of a period are computed from this index alone, as those of sessions are. */
export const STATISTICS_INDEX = {
  organisationId: 1,
  mode: 1,
  createdAt: 1,
  kind: 1,
  status: 1,
  failure: 1,
  deletedAt: 1,
} as const;
checkSchema.index(STATISTICS_INDEX);
// For the erasure of a face.
checkSchema.index({ organisationId: 1, mode: 1, foundFaces: 1 }, { partialFilterExpression: { kind: 'face_search' } });
// Serves the retention of standalone checks.
checkSchema.index({ createdAt: 1 }, { partialFilterExpression: { sessionId: null, deletedAt: null } });

/** A check of one kind, with the details and result of that kind. */
export type CheckOfKind<K extends CheckKind> = CheckRecord & {
  kind: K;
  details: CheckDetails[K];
  result: Finding<K> | null;
};

/** Whether a check is of the kind, which determines the types of its details and result. */
export const isCheckOfKind = <K extends CheckKind>(check: CheckRecord, kind: K): check is CheckOfKind<K> =>
  check.kind === kind;

export const Check = model<CheckRecord>('Check', checkSchema);
