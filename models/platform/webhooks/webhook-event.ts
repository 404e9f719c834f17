import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { DAY_SECONDS } from '../../../domain/durations';

/** Retention of events and deliveries: 90 days. */
export const EVENT_RETENTION_SECONDS = 90 * DAY_SECONDS;

/** An event, delivered once to each subscribed endpoint. */
const webhookEventSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    type: { type: String, enum: EVENT_TYPES, required: true },
    /** Derived from the record and its change, so that the same change is emitted only once. */
    key: { type: String, required: true },
    /** Id of the record that the event is about; its erasure removes the body. */
    subjectId: { type: String, required: true },
    occurredAt: { type: Date, required: true },
    /** Exact request body of every delivery (DeliveryBody as JSON), encrypted if it names a person; null once the subject has been erased. */
    body: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'webhook_events', versionKey: false, strict: 'throw' },
);
webhookEventSchema.index({ organisationId: 1, mode: 1, key: 1 }, { unique: true });
webhookEventSchema.index({ organisationId: 1, mode: 1, subjectId: 1 });
// For recoveries, which read missed events in the order of their occurrence.
webhookEventSchema.index({ organisationId: 1, mode: 1, occurredAt: 1, _id: 1 });
webhookEventSchema.index({ createdAt: 1 }, { expireAfterSeconds: EVENT_RETENTION_SECONDS });

export type WebhookEventRecord = InferSchemaType<typeof webhookEventSchema>;
export const WebhookEvent = model('WebhookEvent', webhookEventSchema);
