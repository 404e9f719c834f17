import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/** Kinds of documents that can be rendered. */
export const PRINTED_KINDS = ['invoice', 'credit_note'] as const;
export type PrintedKind = (typeof PRINTED_KINDS)[number];

/** Kinds that renditions are stored of: documents, statements of customers, and previews of invoices. */
export const RENDERED_KINDS = [...PRINTED_KINDS, 'statement', 'preview'] as const;
export type RenderedKind = (typeof RENDERED_KINDS)[number];

/** Formats that clients can request: PDF, PDF with the electronic invoice embedded, and the electronic invoice alone in two syntaxes. */
export const DOCUMENT_FORMATS = ['pdf', 'facturx', 'ubl', 'cii'] as const;
export type DocumentFormat = (typeof DOCUMENT_FORMATS)[number];

/** Formats that are stored: those of clients, and the stamped PDF of a void document. */
export const RENDITION_FORMATS = [...DOCUMENT_FORMATS, 'pdf_void'] as const;
export type RenditionFormat = (typeof RENDITION_FORMATS)[number];

/** File name extension and media type of each format, in the object store and in downloads. */
export const RENDITION_FILE_TYPES: Readonly<Record<RenditionFormat, { extension: string; contentType: string }>> = {
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  pdf_void: { extension: 'pdf', contentType: 'application/pdf' },
  facturx: { extension: 'pdf', contentType: 'application/pdf' },
  ubl: { extension: 'xml', contentType: 'application/xml' },
  cii: { extension: 'xml', contentType: 'application/xml' },
};

export type RenditionStatus = 'pending' | 'stored' | 'failed';

/**
 * One format of one content of a document. The record decides which bytes are the document: the first that were stored,
 * identified by their hash; the bytes of other attempts are discarded.
 */
export interface RenditionRecord {
  /** `ren_…` */
  _id: string;
  organisationId: string;
  documentKind: RenderedKind;
  documentId: number;
  format: RenditionFormat;
  /** Content hash of the document's snapshot. */
  contentHash: string;
  /** 1 at first; increased each time the stored object was lost. */
  generation: number;
  status: RenditionStatus;
  /** Whether it is rendered by a workflow of its own, since it failed in the one that the organisation's documents share. */
  hasOwnWorkflow?: boolean;
  objectKey: string | null;
  /** SHA-256 of the stored object, hex. */
  sha256: string | null;
  sizeBytes: number | null;
  /** Code of the reason why the last attempt failed. */
  failure: string | null;
  requestedAt: Date;
  completedAt: Date | null;
}

const renditionSchema = new Schema<RenditionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    documentKind: { type: String, enum: RENDERED_KINDS, required: true },
    documentId: { type: Number, required: true },
    format: { type: String, enum: RENDITION_FORMATS, required: true },
    contentHash: { type: String, required: true },
    generation: { type: Number, required: true, default: 1 },
    status: { type: String, enum: ['pending', 'stored', 'failed'], required: true },
    hasOwnWorkflow: { type: Boolean, default: false },
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
renditionSchema.index({ organisationId: 1, requestedAt: 1 }, { partialFilterExpression: { status: 'pending' } });
// A preview is needed for a moment only. The sweeper of the object store then removes its file.
renditionSchema.index(
  { requestedAt: 1 },
  { expireAfterSeconds: DAY_SECONDS, partialFilterExpression: { documentKind: 'preview' } },
);
// The sweeper of the object store queries by key alone; a key begins with the organisation.
renditionSchema.index({ objectKey: 1 }, { partialFilterExpression: { objectKey: { $type: 'string' } } });

export const Rendition = model<RenditionRecord>('Rendition', renditionSchema);
