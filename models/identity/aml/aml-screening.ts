import { model, Schema } from 'mongoose';
import { CHECK_STATUSES } from '../../../domain/identity/checks/checks';
import type { CheckStatus } from '../../../domain/identity/checks/checks';

/** A list that was searched, as it was then. */
export interface SearchedListRecord {
  list: string;
  title: string;
  version: string;
  importedAt: Date;
  /** hours since the list was last known to be the newest */
  ageHours: number;
  stale: boolean;
}

/** Who asks: a client, or a monitor after a list has changed. */
export const AML_ORIGINS = ['client', 'monitor'] as const;

/** One question to the watch lists. Who was asked about and what was found are sealed under the data key of `recordId`. */
export interface AmlScreeningRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** the first screening of the subject: its own id, or that of the one a monitor repeats */
  recordId: string;
  origin: (typeof AML_ORIGINS)[number];
  /** a monitor watches the subject, so that it is kept until that ends */
  monitored: boolean;
  monitorId: string | null;
  /** the list version that made a monitor ask again */
  causeVersion: string | null;
  /** keyed hash of who is asked about */
  subjectKey: string;
  status: CheckStatus;
  threshold: number;
  /** codes asked for; null: every list */
  lists: string[] | null;
  sealedQuery: string;
  sealedHits: string | null;
  match: boolean | null;
  score: number | null;
  hitCount: number | null;
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
// What retention looks for.
amlScreeningSchema.index({ origin: 1, monitored: 1, deletedAt: 1, createdAt: 1 });
// A monitor asks once for each change of a list, however often the change is worked through.
amlScreeningSchema.index(
  { monitorId: 1, causeVersion: 1 },
  { unique: true, partialFilterExpression: { causeVersion: { $type: 'string' } } },
);

export const AmlScreening = model<AmlScreeningRecord>('AmlScreening', amlScreeningSchema);
