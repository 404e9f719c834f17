import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/**
 * The key that encrypts one person record's evidence (a session, a stand-alone check), wrapped by the master key.
 * Destroying it makes every object under it unreadable.
 */
const dataKeySchema = new Schema(
  {
    /** The id of the person record. */
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    keyId: { type: String, required: true },
    wrapped: { type: String, required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'data_keys', versionKey: false, strict: 'throw' },
);

export type DataKeyRecord = InferSchemaType<typeof dataKeySchema>;
export const DataKey = model('DataKey', dataKeySchema);
