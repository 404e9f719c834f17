import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * A pending call to Temporal (start, signal or cancellation). It is written in the transaction of the record it belongs
 * to, and marked as done after Temporal has accepted it.
 */
const outboxSchema = new Schema(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    kind: { type: String, enum: ['start', 'signal', 'cancel'], required: true },
    workflowId: { type: String, required: true },
    /**
     * A start that wakes a workflow which works off pending rows. It has no task queue: so Temporal rejects it from a
     * relay of version 0.1, which cannot wake, and leaves it to one of the present version.
     */
    wakes: { type: Boolean, default: false },
    /** Workflow type of a start, or name of a signal. */
    name: { type: String, required: true },
    taskQueue: { type: String, default: null },
    /** Argument of the workflow or signal: ids and codes only. */
    argument: { type: Schema.Types.Mixed, default: null },
    /** Whether a start begins a workflow again that has ended under its id. */
    again: { type: Boolean, default: false },
    searchAttributes: { type: Schema.Types.Mixed, default: null },
    summary: { type: String, default: null },
    requestId: { type: String, default: null },
    /** Position in the trace of the change (W3C `traceparent`). */
    traceparent: { type: String, default: null },
    createdAt: { type: Date, required: true },
    doneAt: { type: Date, default: null },
    /** Result of the dispatch, such as `started` or, for a signal without effect, `workflow_ended`. */
    outcome: { type: String, default: null },
    attempts: { type: Number, required: true, default: 0 },
    /** Earliest time of the next dispatch; postponed by a lease and after a failure. */
    dueAt: { type: Date, required: true },
    lastError: { type: String, default: null },
  },
  { collection: 'outbox', versionKey: false, strict: 'throw', minimize: false },
);
outboxSchema.index({ dueAt: 1 }, { partialFilterExpression: { doneAt: null } });
outboxSchema.index({ workflowId: 1, _id: 1 });
// Done rows are kept for a week for diagnosis.
outboxSchema.index({ doneAt: 1 }, { expireAfterSeconds: 7 * DAY_SECONDS });

export type OutboxRecord = InferSchemaType<typeof outboxSchema>;
export const Outbox = model('Outbox', outboxSchema);
