import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/**
 * The key that encrypts the evidence of one person record (a session, a standalone check), encrypted with the master key.
 * Destroying it makes the evidence unreadable.
 */
const dataKeySchema = new Schema(
  {
    /** Id of the person record. */
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    keyId: { type: String, required: true },
    /** Null once destroyed. The document is kept, so that no new key is created for an erased record. */
    wrapped: { type: String, default: null },
    destroyedAt: { type: Date, default: null },
    /** Number of files encrypted with it. The write makes saving a file conflict with the destruction of the key. */
    files: { type: Number, required: true, default: 0 },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'data_keys', versionKey: false, strict: 'throw' },
);

export type DataKeyRecord = InferSchemaType<typeof dataKeySchema>;
export const DataKey = model('DataKey', dataKeySchema);
