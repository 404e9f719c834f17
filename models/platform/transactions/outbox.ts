import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * An effect on Temporal that a committed transaction owes: written with the record, done only when marked done after
 * Temporal has accepted it.
 */
const outboxSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    kind: { type: String, enum: ['start', 'signal', 'cancel'], required: true },
    workflowId: { type: String, required: true },
    /** Workflow type of a start, signal name of a signal. */
    name: { type: String, required: true },
    taskQueue: { type: String, default: null },
    /** The one argument: ids and codes only. */
    argument: { type: Schema.Types.Mixed, default: null },
    searchAttributes: { type: Schema.Types.Mixed, default: null },
    summary: { type: String, default: null },
    requestId: { type: String, default: null },
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    /** Why it was closed without effect, such as a signal to a workflow that has ended. */
    outcome: { type: String, default: null },
    attempts: { type: Number, required: true, default: 0 },
    /** Not before this instant; pushed ahead while a process works on the row and after a failure. */
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
  },
  { collection: 'outbox', versionKey: false, strict: 'throw', minimize: false },
);
outboxSchema.index({ dueAt: 1 }, { partialFilterExpression: { doneAt: null } });
outboxSchema.index({ workflowId: 1, _id: 1 });
// Done rows are kept for a week as a trail, then go.
outboxSchema.index({ doneAt: 1 }, { expireAfterSeconds: 7 * DAY_SECONDS });

export type OutboxRecord = InferSchemaType<typeof outboxSchema>;
export const Outbox = model('Outbox', outboxSchema);
