import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { EVENT_RETENTION_SECONDS } from './webhook-event';

const attemptSchema = new Schema(
  {
    /** 1 for the first. */
    number: { type: Number, required: true },
    at: { type: Date, required: true },
    durationMs: { type: Number, required: true },
    /** HTTP status; null when no answer came. */
    status: { type: Number, default: null },
    /** Why no answer came (a code of lib/egress/egress); null when one did. */
    error: { type: String, default: null },
    /** The first kilobyte of the answer, as text. */
    response: { type: String, default: null },
  },
  { _id: false, strict: 'throw' },
);

/** One event on its way to one endpoint, with every attempt. */
const webhookDeliverySchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    endpointId: { type: String, required: true },
    eventId: { type: String, required: true },
    eventType: { type: String, enum: EVENT_TYPES, required: true },
    subjectId: { type: String, required: true },
    status: { type: String, enum: ['pending', 'succeeded', 'failed', 'cancelled'], required: true },
    /** Why a delivery ended without success. */
    reason: {
      type: String,
      enum: [
        'attempts_exhausted',
        'endpoint_gone',
        'endpoint_disabled',
        'endpoint_deleted',
        'event_erased',
        'cancelled',
        null,
      ],
      default: null,
    },
    attempts: { type: [attemptSchema], default: [] },
    nextAttemptAt: { type: Date, default: null },
    completedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'webhook_deliveries', versionKey: false, strict: 'throw' },
);
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, _id: -1 });
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, status: 1, _id: -1 });
webhookDeliverySchema.index({ organisationId: 1, mode: 1, subjectId: 1 });
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, eventId: 1 });
webhookDeliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: EVENT_RETENTION_SECONDS });

export type WebhookDeliveryRecord = InferSchemaType<typeof webhookDeliverySchema>;
export const WebhookDelivery = model<WebhookDeliveryRecord>('WebhookDelivery', webhookDeliverySchema);
