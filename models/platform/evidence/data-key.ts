import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/**
 * The key that encrypts the evidence and the personal fields of one person record (a session, a standalone check),
 * encrypted with a wrapping key of the organisation. Destroying it makes them unreadable.
 */
const dataKeySchema = new Schema(
  {
    /** Id of the person record. */
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    /** Generation of the wrapping key; null once destroyed. */
    generation: { type: String, default: null },
    /** The key, encrypted with the wrapping key, in base64. The row is kept once it is destroyed, so that no new key is created for an erased record. */
    material: { type: String, default: null },
    /** Keys of versions without wrapping keys: id of the master key, and the key encrypted with it. */
    keyId: { type: String, default: null },
    wrapped: { type: String, default: null },
    destroyedAt: { type: Date, default: null },
    /** Number of files encrypted with it. The write makes saving a file conflict with the destruction of the key. */
    files: { type: Number, required: true, default: 0 },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'data_keys', versionKey: false, strict: 'throw' },
);
// For the replacement of wrapping keys.
dataKeySchema.index({ organisationId: 1, generation: 1, _id: 1 }, { partialFilterExpression: { destroyedAt: null } });

export type DataKeyRecord = InferSchemaType<typeof dataKeySchema>;
export const DataKey = model('DataKey', dataKeySchema);
