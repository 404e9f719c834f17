import { model, Schema } from 'mongoose';
import type { StatementDocument } from '../../../domain/business/payments/statement';

/** The content of a statement that was printed, from which it can be printed again. */
export interface StatementRecord {
  organisationId: string;
  /** Unique in the organisation; identifies its rendition. */
  id: number;
  customerId: number;
  /** SHA-256 of the canonical JSON of `document`, hex: equal statements are one record. */
  contentHash: string;
  document: StatementDocument;
  createdAt: Date;
}

const statementSchema = new Schema<StatementRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    customerId: { type: Number, required: true },
    contentHash: { type: String, required: true },
    document: { type: Schema.Types.Mixed, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'statements', versionKey: false, strict: 'throw', minimize: false },
);
statementSchema.index({ organisationId: 1, id: 1 }, { unique: true });
statementSchema.index({ organisationId: 1, customerId: 1, contentHash: 1 }, { unique: true });

export const Statement = model<StatementRecord>('Statement', statementSchema);
