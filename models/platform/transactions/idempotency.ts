import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/** One use of an Idempotency-Key: unique per organisation, credential, route and key, for 24 hours. */
const idempotencySchema = new Schema(
  {
    organisationId: { type: String, required: true },
    credentialId: { type: String, required: true },
    route: { type: String, required: true },
    key: { type: String, required: true },
    fingerprint: { type: String, required: true },
    /** Set in the transaction that writes the record; null while the first request is running. */
    recordId: { type: String, default: null },
    status: { type: Number, default: null },
    /** The process that runs the first request. Once it is dead, another request takes over. */
    processId: { type: String, required: true },
    /** Differs for each request that takes over, so that only the latest can claim the key. */
    leaseId: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'idempotency', versionKey: false, strict: 'throw' },
);
idempotencySchema.index({ organisationId: 1, credentialId: 1, route: 1, key: 1 }, { unique: true });
// For the erasure of a record, which removes the keys that refer to it.
idempotencySchema.index({ organisationId: 1, recordId: 1 });
idempotencySchema.index({ createdAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export type IdempotencyRecord = InferSchemaType<typeof idempotencySchema>;
export const Idempotency = model('Idempotency', idempotencySchema);
