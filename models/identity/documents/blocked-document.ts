import { model, Schema } from 'mongoose';
import { sealFields } from '../../sealed-fields';

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
    hint: { type: Schema.Types.Mixed, required: true },
    issuingState: { type: String, required: true },
    reason: { type: Schema.Types.Mixed, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'blocked_documents', versionKey: false, strict: 'throw' },
);
sealFields(blockedDocumentSchema, { collection: 'blocked_documents', fields: ['hint', 'reason'], owner: '_id' });
blockedDocumentSchema.index({ organisationId: 1, mode: 1, fingerprint: 1 }, { unique: true });
blockedDocumentSchema.index({ organisationId: 1, mode: 1, _id: -1 });

export const BlockedDocument = model<BlockedDocumentRecord>('BlockedDocument', blockedDocumentSchema);
