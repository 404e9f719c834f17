import { model, Schema } from 'mongoose';

/** Formats an invoice can be had in. */
export const RENDITION_FORMATS = ['pdf'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

export type RenditionStatus = 'pending' | 'stored' | 'failed';

/**
 * One printed form of one content of an invoice. The record decides which bytes are the document: the first that were
 * stored, named by their hash; what another attempt printed is discarded.
 */
export interface RenditionRecord {
  /** `ren_…` */
  _id: string;
  organisationId: string;
  invoiceId: number;
  format: RenditionFormat;
  /** Of the invoice's snapshot. */
  contentHash: string;
  /** 1 for the first; one more each time the stored object was lost. */
  generation: number;
  status: RenditionStatus;
  objectKey: string | null;
  /** Of the stored object, hex. */
  sha256: string | null;
  sizeBytes: number | null;
  /** Code of why the last attempt was given up. */
  failure: string | null;
  requestedAt: Date;
  completedAt: Date | null;
}

const renditionSchema = new Schema<RenditionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    invoiceId: { type: Number, required: true },
    format: { type: String, enum: RENDITION_FORMATS, required: true },
    contentHash: { type: String, required: true },
    generation: { type: Number, required: true, default: 1 },
    status: { type: String, enum: ['pending', 'stored', 'failed'], required: true },
    objectKey: { type: String, default: null },
    sha256: { type: String, default: null },
    sizeBytes: { type: Number, default: null },
    failure: { type: String, default: null },
    requestedAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
  },
  { collection: 'renditions', versionKey: false, strict: 'throw' },
);
renditionSchema.index({ organisationId: 1, invoiceId: 1, format: 1, contentHash: 1 }, { unique: true });
// The sweeper of the object store asks by key alone; a key begins with the organisation.
renditionSchema.index({ objectKey: 1 }, { partialFilterExpression: { objectKey: { $type: 'string' } } });

export const Rendition = model<RenditionRecord>('Rendition', renditionSchema);
