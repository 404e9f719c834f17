import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { SeriesFormat } from '../../domain/business/numbering';

export const DOCUMENT_TYPES = ['invoice', 'credit_note'] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];

/** A gapless sequence of document numbers; its counter is in the posting record. */
export interface DocumentSeriesRecord extends SeriesFormat {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  documentType: DocumentType;
  active: boolean;
  createdAt: Date;
}

const documentSeriesSchema = new Schema<DocumentSeriesRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    documentType: { type: String, enum: DOCUMENT_TYPES, required: true },
    prefix: { type: String, required: true },
    padding: { type: Number, required: true },
    active: { type: Boolean, required: true, default: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'document_series', versionKey: false, strict: 'throw' },
);
documentSeriesSchema.index({ organisationId: 1, id: 1 }, { unique: true });
// Two series with one prefix would write the same number twice.
documentSeriesSchema.index({ organisationId: 1, prefix: 1 }, { unique: true });

export const DocumentSeries = model<DocumentSeriesRecord>('DocumentSeries', documentSeriesSchema);
