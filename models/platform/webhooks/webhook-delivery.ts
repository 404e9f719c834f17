import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DELIVERY_STATUSES } from '../../../domain/platform/webhooks/delivery-status';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { EVENT_RETENTION_SECONDS } from './webhook-event';

const attemptSchema = new Schema(
  {
    /** Number of the attempt, starting at 1. */
    number: { type: Number, required: true },
    at: { type: Date, required: true },
    durationMs: { type: Number, required: true },
    /** HTTP status; null without a response. */
    status: { type: Number, default: null },
    /** Error code of lib/egress/failure.ts; null with a response. */
    error: { type: String, default: null },
    /** First kilobyte of the response, as text. */
    response: { type: String, default: null },
  },
  { _id: false, strict: 'throw' },
);

/** The delivery of one event to one endpoint, with every attempt. */
const webhookDeliverySchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    endpointId: { type: String, required: true },
    eventId: { type: String, required: true },
    eventType: { type: String, enum: EVENT_TYPES, required: true },
    subjectId: { type: String, required: true },
    status: { type: String, enum: DELIVERY_STATUSES, required: true },
    /** Reason of an unsuccessful end. */
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
    /** Position in the trace of the event (W3C `traceparent`). */
    traceparent: { type: String, default: null },
  },
  { collection: 'webhook_deliveries', versionKey: false, strict: 'throw' },
);
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, _id: -1 });
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, status: 1, _id: -1 });
// Due deliveries of an endpoint.
webhookDeliverySchema.index(
  { organisationId: 1, mode: 1, endpointId: 1, nextAttemptAt: 1 },
  { partialFilterExpression: { status: 'pending' } },
);
webhookDeliverySchema.index({ organisationId: 1, mode: 1, subjectId: 1 });
webhookDeliverySchema.index({ organisationId: 1, mode: 1, endpointId: 1, eventId: 1 });
/** Statistics of a period are computed from this index alone. */
export const STATISTICS_INDEX = { organisationId: 1, mode: 1, createdAt: 1, status: 1 } as const;
webhookDeliverySchema.index(STATISTICS_INDEX);
webhookDeliverySchema.index({ createdAt: 1 }, { expireAfterSeconds: EVENT_RETENTION_SECONDS });

export type WebhookDeliveryRecord = InferSchemaType<typeof webhookDeliverySchema>;
export const WebhookDelivery = model<WebhookDeliveryRecord>('WebhookDelivery', webhookDeliverySchema);
