import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

/** An API key of either API. Only the SHA-256 of its secret is stored. */
const apiKeySchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    api: { type: String, enum: ['identity', 'business'], required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    name: { type: String, required: true },
    secretHash: { type: String, required: true },
    permissions: { type: [String], required: true },
    /** CIDR ranges; empty allows any address. */
    allowedIps: { type: [String], default: [] },
    expiresAt: { type: Date, default: null },
    lastUsedAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    /** The creator, its creator and so on: keys and a user; empty for keys of the operator. The key ends with each of them. */
    ancestors: { type: [String], default: [] },
    /** Number of keys created with this key. Written with each, so that creation and revocation exclude each other. */
    createdKeys: { type: Number, default: 0 },
  },
  { collection: 'api_keys', versionKey: false, strict: 'throw' },
);
apiKeySchema.index({ organisationId: 1, api: 1, mode: 1, _id: -1 });
apiKeySchema.index({ organisationId: 1, ancestors: 1 });

export type ApiKeyRecord = InferSchemaType<typeof apiKeySchema>;
export const ApiKey = model<ApiKeyRecord>('ApiKey', apiKeySchema);
