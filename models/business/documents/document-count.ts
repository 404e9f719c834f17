import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/**
 * Exact totals of long lists without counting. A transaction that changes the number of documents of a list inserts a
 * row here; rows are later compacted into one bucket per list, status and day. Inserts never conflict, updates of a
 * shared counter would. The total of a list is the sum of its buckets and uncompacted rows.
 */
export interface DocumentCountRecord {
  _id: Types.ObjectId;
  organisationId: string;
  /** Name of the list, such as `invoices`. */
  list: string;
  status: string;
  /** Date by which the list is filtered, `YYYY-MM-DD`. */
  day: string;
  /** Signed number of documents. */
  count: number;
  /** Signed total before tax in base currency. */
  baseTotal: Types.Decimal128;
  /** True for a bucket, false for an uncompacted row. */
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
// A covering index for the sum.
documentCountSchema.index({ organisationId: 1, list: 1, day: 1, status: 1, folded: 1, count: 1 });
documentCountSchema.index(
  { organisationId: 1, list: 1, day: 1, status: 1 },
  { name: 'one_bucket', unique: true, partialFilterExpression: { folded: true } },
);
// Finds uncompacted rows.
documentCountSchema.index({ organisationId: 1, list: 1, _id: 1 }, { partialFilterExpression: { folded: false } });

export const DocumentCount = model<DocumentCountRecord>('DocumentCount', documentCountSchema);
