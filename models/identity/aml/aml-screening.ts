import { model, Schema } from 'mongoose';
import { CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import type { CheckStatus } from '../../../domain/identity/checks/checks';

/** A searched list, as of the screening. */
export interface SearchedListRecord {
  list: string;
  title: string;
  version: string;
  importedAt: Date;
  /** Hours since the list was last confirmed to be the newest. */
  ageHours: number;
  stale: boolean;
}

/** Origin of a screening: a client, or a monitor after a change of a list. */
export const AML_ORIGINS = ['client', 'monitor'] as const;

/** One screening against the watch lists. The subject and the hits are sealed under the data key of `recordId`. */
export interface AmlScreeningRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the first record of the subject: this screening, or the screening or business check that a monitor repeats. */
  recordId: string;
  origin: (typeof AML_ORIGINS)[number];
  /** Whether a monitor watches the subject, in which case the screening is retained until monitoring ends. */
  monitored: boolean;
  monitorId: string | null;
  /** List version that caused a monitor to screen again. */
  causeVersion: string | null;
  /** Keyed hash of the subject. */
  subjectKey: string;
  status: CheckStatus;
  threshold: number;
  /** Codes of the requested lists; null for all lists. */
  lists: string[] | null;
  sealedQuery: string;
  sealedHits: string | null;
  match: boolean | null;
  score: number | null;
  hitCount: number | null;
  /** Number of reviews of its hits; absent before the first. */
  reviews?: number;
  listsSearched: SearchedListRecord[];
  risks: string[];
  failure: string | null;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  deletedAt: Date | null;
}

const amlScreeningSchema = new Schema<AmlScreeningRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    recordId: { type: String, required: true },
    origin: { type: String, enum: AML_ORIGINS, required: true },
    monitored: { type: Boolean, required: true },
    monitorId: { type: String, default: null },
    causeVersion: { type: String, default: null },
    subjectKey: { type: String, required: true },
    status: { type: String, enum: CHECK_STATUSES, required: true },
    threshold: { type: Number, required: true },
    lists: { type: [String], default: null },
    sealedQuery: { type: String, required: true },
    sealedHits: { type: String, default: null },
    match: { type: Boolean, default: null },
    score: { type: Number, default: null },
    hitCount: { type: Number, default: null },
    reviews: { type: Number },
    listsSearched: { type: Schema.Types.Mixed, default: [] },
    risks: { type: [String], default: [] },
    failure: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'aml_screenings', versionKey: false, strict: 'throw', minimize: false },
);
amlScreeningSchema.index({ organisationId: 1, mode: 1, recordId: 1, _id: 1 });
amlScreeningSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });
// For the retention sweep.
amlScreeningSchema.index({ origin: 1, monitored: 1, deletedAt: 1, createdAt: 1 });
// A monitor screens once per change of a list, however often the change is processed.
amlScreeningSchema.index(
  { monitorId: 1, causeVersion: 1 },
  { unique: true, partialFilterExpression: { causeVersion: { $type: 'string' } } },
);

export const AmlScreening = model<AmlScreeningRecord>('AmlScreening', amlScreeningSchema);
