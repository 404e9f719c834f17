import { model, Schema } from 'mongoose';
import { AML_REVIEW_STATUSES } from '../../../domain/identity/aml/review';
import type { AmlReviewStatus } from '../../../domain/identity/aml/review';

/** A reviewer's decision on a hit. */
export interface AmlReview {
  status: Exclude<AmlReviewStatus, 'unreviewed'>;
  reason: string;
  by: string;
  at: Date;
}

/** One entry found by a screening, the check of a session or a business check, which stores its details. */
export interface AmlHitRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the screening, of the check of a session, or of the business check. */
  screeningId: string;
  /** Id of the record whose erasure removes the hit. */
  recordId: string;
  /** Keyed hash of the complete query; of a party of a business check, of the query with its first name. */
  subjectKey: string;
  /** Keyed hash of the organisation's externalId, name and date of birth; null without an externalId. */
  personKey: string | null;
  listId: string;
  entryId: string;
  /** Hash of the entry as it was found: a review holds until it changes. */
  entryHash: string;
  score: number;
  review: AmlReview | null;
  createdAt: Date;
}

const reviewSchema = new Schema<AmlReview>(
  {
    status: { type: String, enum: AML_REVIEW_STATUSES, required: true },
    reason: { type: String, required: true },
    by: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
);

const amlHitSchema = new Schema<AmlHitRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    screeningId: { type: String, required: true },
    recordId: { type: String, required: true },
    subjectKey: { type: String, required: true },
    personKey: { type: String, default: null },
    listId: { type: String, required: true },
    entryId: { type: String, required: true },
    entryHash: { type: String, required: true },
    score: { type: Number, required: true },
    review: { type: reviewSchema, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'aml_hits', versionKey: false, strict: 'throw' },
);
amlHitSchema.index({ organisationId: 1, mode: 1, screeningId: 1, score: -1 });
amlHitSchema.index({ organisationId: 1, mode: 1, recordId: 1 });
// For earlier reviews of the same subject.
amlHitSchema.index({ organisationId: 1, mode: 1, subjectKey: 1, listId: 1, entryId: 1 });
amlHitSchema.index(
  { organisationId: 1, mode: 1, personKey: 1 },
  { partialFilterExpression: { personKey: { $type: 'string' } } },
);

export const AmlHit = model<AmlHitRecord>('AmlHit', amlHitSchema);
