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
    /** Null once destroyed; the row stays, so that no new key is made for a record that was erased. */
    wrapped: { type: String, default: null },
    destroyedAt: { type: Date, default: null },
    /** Files encrypted under it so far; counting writes the row, so that none is saved while the key is destroyed. */
    files: { type: Number, required: true, default: 0 },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
  },
  { collection: 'data_keys', versionKey: false, strict: 'throw' },
);

export type DataKeyRecord = InferSchemaType<typeof dataKeySchema>;
export const DataKey = model('DataKey', dataKeySchema);
