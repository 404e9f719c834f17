import { model, Schema } from 'mongoose';

/** Kinds of documents that are printed. */
export const PRINTED_KINDS = ['invoice', 'credit_note'] as const;
export type PrintedKind = (typeof PRINTED_KINDS)[number];

/** Formats a document can be had in: PDF, PDF with the electronic invoice in it, and the electronic invoice alone. */
export const DOCUMENT_FORMATS = ['pdf', 'facturx', 'ubl'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** What is stored apart: those, and the PDF that is stamped once the document is void. */
export const RENDITION_FORMATS = [...DOCUMENT_FORMATS, 'pdf_void'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

export type RenditionStatus = 'pending' | 'stored' | 'failed';

/**
 * One printed form of one content of a document. The record decides which bytes are the document: the first that were
 * stored, named by their hash; what another attempt printed is discarded.
 */
export interface RenditionRecord {
  /** `ren_…` */
  _id: string;
  organisationId: string;
  documentKind: PrintedKind;
  documentId: number;
  format: RenditionFormat;
  /** Of the document's snapshot. */
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
    documentKind: { type: String, enum: PRINTED_KINDS, required: true },
    documentId: { type: Number, required: true },
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
renditionSchema.index(
  { organisationId: 1, documentKind: 1, documentId: 1, format: 1, contentHash: 1 },
  { unique: true },
);
// The sweeper of the object store asks by key alone; a key begins with the organisation.
renditionSchema.index({ objectKey: 1 }, { partialFilterExpression: { objectKey: { $type: 'string' } } });

export const Rendition = model<RenditionRecord>('Rendition', renditionSchema);
