import { model, Schema } from 'mongoose';
import type { mongo } from 'mongoose';

/** One check that showed the document. */
export interface DocumentUse {
  checkId: string;
  /** The session or standalone check with which the use is erased. */
  recordId: string;
  /** The client's id of the person and the date of birth, encrypted with the data key of the record. */
  sealed: mongo.Binary;
  at: Date;
}

/** A document by its fingerprint, a blind index, and the checks that showed it. */
export interface DocumentUsesRecord {
  organisationId: string;
  mode: 'live' | 'test';
  fingerprint: string;
  uses: DocumentUse[];
}

const useSchema = new Schema<DocumentUse>(
  {
    checkId: { type: String, required: true },
    recordId: { type: String, required: true },
    sealed: { type: Schema.Types.Mixed, required: true },
    at: { type: Date, required: true },
  },
  { _id: false },
);

const documentUsesSchema = new Schema<DocumentUsesRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    fingerprint: { type: String, required: true },
    uses: { type: [useSchema], default: [] },
  },
  { collection: 'document_uses', versionKey: false, strict: 'throw' },
);
// One row per document: two sessions that show it concurrently write the same row, so that one of them sees the other.
documentUsesSchema.index({ organisationId: 1, mode: 1, fingerprint: 1 }, { unique: true });
documentUsesSchema.index({ organisationId: 1, mode: 1, 'uses.recordId': 1 });

export const DocumentUses = model<DocumentUsesRecord>('DocumentUses', documentUsesSchema);
