import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

const secretSchema = new Schema(
  {
    /** `whsec_…`, encrypted with the master key and bound to the endpoint by its AAD. */
    keyId: { type: String, required: true },
    data: { type: String, required: true },
    createdAt: { type: Date, required: true },
    /** Set by a rotation: until this time the secret signs in addition to its successor. */
    expiresAt: { type: Date, default: null },
  },
  { _id: false, strict: 'throw' },
);

/** A webhook: a URL that events are posted to. */
const webhookEndpointSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    url: { type: String, required: true },
    description: { type: String, default: null },
    /** Event types, or only `*`. */
    events: { type: [String], required: true },
    /** Newest first. */
    secrets: { type: [secretSchema], required: true },
    disabledAt: { type: Date, default: null },
    disabledReason: { type: String, enum: ['gone', 'failing', null], default: null },
    /** Current run of failures (domain/platform/webhooks/endpoint-health.ts). */
    failingSince: { type: Date, default: null },
    lastFailureAt: { type: Date, default: null },
    /** Number of recovery batches. The write makes concurrent recoveries conflict. */
    recoveries: { type: Number, default: 0 },
    /** Number of changes of URL, events or description; the ETag. Absent in webhooks of earlier versions. */
    version: { type: Number },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'webhook_endpoints', versionKey: false, strict: 'throw' },
);
webhookEndpointSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });

export type WebhookEndpointRecord = InferSchemaType<typeof webhookEndpointSchema>;
export const WebhookEndpoint = model<WebhookEndpointRecord>('WebhookEndpoint', webhookEndpointSchema);
