import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { SeriesFormat } from '../../../domain/business/documents/numbering';

export const DOCUMENT_TYPES = ['invoice', 'credit_note'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** A gapless sequence of document numbers; its counter is in the posting record. */
export interface DocumentSeriesRecord extends SeriesFormat {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  documentType: DocumentType;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const documentSeriesSchema = new Schema<DocumentSeriesRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    documentType: { type: String, enum: DOCUMENT_TYPES, required: true },
    prefix: { type: String, required: true },
    padding: { type: Number, required: true },
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'document_series', versionKey: false, strict: 'throw' },
);
documentSeriesSchema.index({ organisationId: 1, id: 1 }, { unique: true });
// Two series with the same prefix would produce the same numbers.
documentSeriesSchema.index({ organisationId: 1, prefix: 1 }, { unique: true });
// Sorts by prefix with the id as tie-breaker, which the unique index alone cannot do.
documentSeriesSchema.index({ organisationId: 1, prefix: 1, id: 1 });
documentSeriesSchema.index({ organisationId: 1, createdAt: 1, id: 1 });
documentSeriesSchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const DocumentSeries = model<DocumentSeriesRecord>('DocumentSeries', documentSeriesSchema);
