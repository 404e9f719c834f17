import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/**
 * Exact totals of long lists without counting them. A transaction that changes how many documents a list has inserts a
 * row here; rows are folded into one bucket per list, status and day later. Inserting never conflicts, a shared counter
 * would. The total of a list is the sum over its buckets and unfolded rows.
 */
export interface DocumentCountRecord {
  _id: Types.ObjectId;
  organisationId: string;
  /** The list, such as `invoices`. */
  list: string;
  status: string;
  /** `YYYY-MM-DD` the list is filtered by. */
  day: string;
  /** Signed number of documents. */
  count: number;
  /** Signed total before tax in base currency. */
  baseTotal: Types.Decimal128;
  /** A bucket that rows have been folded into. */
  folded: boolean;
}

const documentCountSchema = new Schema<DocumentCountRecord>(
  {
    organisationId: { type: String, required: true },
    list: { type: String, required: true },
    status: { type: String, required: true },
    day: { type: String, required: true },
    count: { type: Number, required: true },
    baseTotal: { type: Schema.Types.Decimal128, required: true },
    folded: { type: Boolean, required: true, default: false },
  },
  { collection: 'document_counts', versionKey: false, strict: 'throw' },
);
// Covers the sum, so that no document is fetched for it.
documentCountSchema.index({ organisationId: 1, list: 1, day: 1, status: 1, folded: 1, count: 1 });
documentCountSchema.index(
  { organisationId: 1, list: 1, day: 1, status: 1 },
  { name: 'one_bucket', unique: true, partialFilterExpression: { folded: true } },
);
// Finds what is to be folded.
documentCountSchema.index({ organisationId: 1, list: 1, _id: 1 }, { partialFilterExpression: { folded: false } });

export const DocumentCount = model<DocumentCountRecord>('DocumentCount', documentCountSchema);
