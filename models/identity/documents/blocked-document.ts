import { model, Schema } from 'mongoose';

/** A blocklisted document: its keyed fingerprint and a masked hint, never its number. */
export interface BlockedDocumentRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  fingerprint: string;
  hint: string;
  issuingState: string;
  reason: string | null;
  createdBy: string;
  createdAt: Date;
}

const blockedDocumentSchema = new Schema<BlockedDocumentRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    fingerprint: { type: String, required: true },
    hint: { type: String, required: true },
    issuingState: { type: String, required: true },
    reason: { type: String, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'blocked_documents', versionKey: false, strict: 'throw' },
);
blockedDocumentSchema.index({ organisationId: 1, mode: 1, fingerprint: 1 }, { unique: true });
blockedDocumentSchema.index({ organisationId: 1, mode: 1, _id: -1 });

export const BlockedDocument = model<BlockedDocumentRecord>('BlockedDocument', blockedDocumentSchema);
