import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';

const secretSchema = new Schema(
  {
    /** `whsec_…`, sealed with the master key; bound to the endpoint by its AAD. */
    keyId: { type: String, required: true },
    data: { type: String, required: true },
    createdAt: { type: Date, required: true },
    /** Set on rotation: until then this secret signs beside its successor. */
    expiresAt: { type: Date, default: null },
  },
  { _id: false, strict: 'throw' },
);

/** An address of a customer that events are posted to. */
const webhookEndpointSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    url: { type: String, required: true },
    description: { type: String, default: null },
    /** Event types, or `*` alone. */
    events: { type: [String], required: true },
    /** Newest first. */
    secrets: { type: [secretSchema], required: true },
    disabledAt: { type: Date, default: null },
    disabledReason: { type: String, enum: ['gone', 'failing', null], default: null },
    /** The run of failures that disables an endpoint (domain/platform/webhooks/endpoint-health). */
    failingSince: { type: Date, default: null },
    lastFailureAt: { type: Date, default: null },
    /** Counts the batches of recoveries: written by each, so that two at once meet here. */
    recoveries: { type: Number, default: 0 },
    createdAt: { type: Date, required: true },
    createdBy: { type: String, required: true },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'webhook_endpoints', versionKey: false, strict: 'throw' },
);
webhookEndpointSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });

export type WebhookEndpointRecord = InferSchemaType<typeof webhookEndpointSchema>;
export const WebhookEndpoint = model<WebhookEndpointRecord>('WebhookEndpoint', webhookEndpointSchema);
