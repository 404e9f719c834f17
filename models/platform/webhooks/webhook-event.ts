import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { EVENT_TYPES } from '../../../domain/platform/webhooks/event-types';
import { DAY_SECONDS } from '../../../domain/durations';

/** Events and their deliveries are a trail, not a record: after 90 days they go. */
export const EVENT_RETENTION_SECONDS = 90 * DAY_SECONDS;

/** Something that happened, told once to each endpoint that subscribes to it. */
const webhookEventSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    type: { type: String, enum: EVENT_TYPES, required: true },
    /** Made from the record and its change, so that the same change is told once however often it is written. */
    key: { type: String, required: true },
    /** The record the event is about; its erasure takes the body below with it. */
    subjectId: { type: String, required: true },
    occurredAt: { type: Date, required: true },
    /** What every delivery posts, byte for byte (DeliveryBody in JSON); null once the subject has been erased. */
    body: { type: String, default: null },
    createdAt: { type: Date, required: true },
  },
  { collection: 'webhook_events', versionKey: false, strict: 'throw' },
);
webhookEventSchema.index({ organisationId: 1, mode: 1, key: 1 }, { unique: true });
webhookEventSchema.index({ organisationId: 1, mode: 1, subjectId: 1 });
// What an endpoint missed is looked for in the order in which it happened.
webhookEventSchema.index({ organisationId: 1, mode: 1, occurredAt: 1, _id: 1 });
webhookEventSchema.index({ createdAt: 1 }, { expireAfterSeconds: EVENT_RETENTION_SECONDS });

export type WebhookEventRecord = InferSchemaType<typeof webhookEventSchema>;
export const WebhookEvent = model('WebhookEvent', webhookEventSchema);
