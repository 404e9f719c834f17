import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';
import type { DecidedBy } from '../../../domain/identity/sessions/decision';
import { SESSION_STATUSES } from '../../../domain/identity/sessions/session';
import type { SessionStatus } from '../../../domain/identity/sessions/session';

/** How many sessions of a day have a status; erased ones are not counted. */
export interface StatusCount {
  status: SessionStatus;
  decidedBy: DecidedBy | null;
  count: number;
}

/** Days after which counts are computed again. */
export const DAY_COUNT_DAYS = 30;

/**
 * The sessions that were created on one day, counted when figures of the day were asked for. The day begins in the time
 * zone of the request, so it is known by its instants. A change of one of its sessions is a {@link SessionDayChange}.
 */
export interface SessionDayCountRecord {
  organisationId: string;
  mode: 'live' | 'test';
  start: Date;
  end: Date;
  statuses: StatusCount[];
  /** Decided sessions by the range of their time to decision (domain/platform/statistics/durations.ts). */
  durations: { range: number; count: number }[];
  /** When the count began: changes before are contained, later ones may be missing. */
  computedAt: Date;
}

const sessionDayCountSchema = new Schema<SessionDayCountRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    start: { type: Date, required: true },
    end: { type: Date, required: true },
    statuses: {
      type: [
        new Schema<StatusCount>(
          {
            status: { type: String, enum: SESSION_STATUSES, required: true },
            decidedBy: { type: String, enum: ['rules', 'reviewer', null], default: null },
            count: { type: Number, required: true },
          },
          { _id: false, strict: 'throw' },
        ),
      ],
      required: true,
    },
    durations: {
      type: [new Schema({ range: Number, count: Number }, { _id: false, strict: 'throw' })],
      required: true,
    },
    computedAt: { type: Date, required: true },
  },
  { collection: 'session_day_counts', versionKey: false, strict: 'throw' },
);
sessionDayCountSchema.index({ organisationId: 1, mode: 1, start: 1, end: 1 }, { unique: true });
sessionDayCountSchema.index({ computedAt: 1 }, { expireAfterSeconds: DAY_COUNT_DAYS * DAY_SECONDS });

export const SessionDayCount = model<SessionDayCountRecord>('SessionDayCount', sessionDayCountSchema);

/** A session of an earlier day has changed, so that counts of that day must be computed again. */
export interface SessionDayChangeRecord {
  organisationId: string;
  mode: 'live' | 'test';
  /** When the session was created. */
  createdAt: Date;
  changedAt: Date;
}

const sessionDayChangeSchema = new Schema<SessionDayChangeRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    createdAt: { type: Date, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'session_day_changes', versionKey: false, strict: 'throw' },
);
sessionDayChangeSchema.index({ organisationId: 1, mode: 1, changedAt: 1, createdAt: 1 });
// Longer than counts are used: a change that is removed can only be missing from counts that are computed again.
sessionDayChangeSchema.index({ changedAt: 1 }, { expireAfterSeconds: (DAY_COUNT_DAYS + 2) * DAY_SECONDS });

export const SessionDayChange = model<SessionDayChangeRecord>('SessionDayChange', sessionDayChangeSchema);
