import { model, Schema } from 'mongoose';
import type { InferSchemaType } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * A workflow that has been woken, or whose activity reads a backlog of pending rows: while the record exists and has not
 * expired, rows that are committed now will be read, and the workflow need not be woken again.
 */
const backlogReaderSchema = new Schema(
  {
    /** Id of the workflow. */
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    /** Type and argument with which the workflow is started. */
    workflow: { type: String, required: true },
    argument: { type: Schema.Types.Mixed, required: true },
    /** The outbox row that wakes the workflow, or the activity that reads; only its owner renews or ends a record. */
    owner: { type: String, required: true },
    /** Whether an activity reads; else the workflow was only woken. */
    reading: { type: Boolean, required: true },
    /** Renewed while the backlog is read, by the clock of MongoDB. A record that expires was left by a killed process. */
    until: { type: Date, required: true },
  },
  { collection: 'backlog_readers', versionKey: false, strict: 'throw', minimize: false },
);
backlogReaderSchema.index({ until: 1 }, { expireAfterSeconds: 7 * DAY_SECONDS });

export type BacklogReaderRecord = InferSchemaType<typeof backlogReaderSchema>;
export const BacklogReaders = model('BacklogReader', backlogReaderSchema);
