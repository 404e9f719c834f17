import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/** An encrypted image or document of a person in the object store. */
const evidenceSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    /** Id of the session or standalone check whose data key encrypts it. */
    recordId: { type: String, required: true },
    checkId: { type: String, required: true },
    /** Form field of the upload, such as `frontImage`, or of the image that it was cropped from. */
    field: { type: String, required: true },
    contentType: { type: String, required: true },
    bytes: { type: Number, required: true },
    sha256: { type: String, required: true },
    objectKey: { type: String, required: true },
    keyVersion: { type: Number, required: true },
    /** Id of the evidence or record it was derived from, such as the image of a preview; null for uploads. */
    derivedFrom: { type: String, default: null },
    createdAt: { type: Date, required: true },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'evidence', versionKey: false, strict: 'throw' },
);
evidenceSchema.index({ organisationId: 1, mode: 1, recordId: 1 });
evidenceSchema.index({ organisationId: 1, mode: 1, checkId: 1 });
evidenceSchema.index({ objectKey: 1 }, { unique: true });

export type EvidenceRecord = InferSchemaType<typeof evidenceSchema>;
export const Evidence = model('Evidence', evidenceSchema);
