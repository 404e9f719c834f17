import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/** What is counted. */
export const COUNTED_RECORDS = ['sessions', 'checks'] as const;
export type CountedRecords = (typeof COUNTED_RECORDS)[number];

/** Days after which stored counts are no longer used, whether or not a record has changed. */
export const DAY_COUNT_DAYS = 30;

/** How many records of one group were created in each quarter hour of a day. */
export interface QuarterCounts<Q> {
  group: Q;
  /** One number for each quarter hour of the day in UTC. */
  counts: number[];
}

/** How many records of one group were created on a day. */
export interface TotalCount<T> {
  group: T;
  count: number;
}

/**
 * The sessions or checks that were created on one day in UTC; erased ones are not counted. Days of every time zone
 * begin with a quarter hour, so that they are added up from these. A change of one of the records is a
 * {@link DayChange}.
 */
export interface DayCountRecord<Q = unknown, T = unknown> {
  organisationId: string;
  mode: 'live' | 'test';
  records: CountedRecords;
  /** Beginning of the day in UTC. */
  day: Date;
  /** What figures show by day. */
  quarters: QuarterCounts<Q>[];
  /** What figures show of the whole period only. */
  totals: TotalCount<T>[];
  /** When the count began: changes before are contained, later ones may be missing. */
  computedAt: Date;
}

const dayCountSchema = new Schema<DayCountRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    records: { type: String, enum: COUNTED_RECORDS, required: true },
    day: { type: Date, required: true },
    quarters: {
      type: [
        new Schema(
          { group: { type: Schema.Types.Mixed, required: true }, counts: { type: [Number], required: true } },
          { _id: false, strict: 'throw', minimize: false },
        ),
      ],
      required: true,
    },
    totals: {
      type: [
        new Schema(
          { group: { type: Schema.Types.Mixed, required: true }, count: { type: Number, required: true } },
          { _id: false, strict: 'throw', minimize: false },
        ),
      ],
      required: true,
    },
    computedAt: { type: Date, required: true },
  },
  { collection: 'statistics_day_counts', versionKey: false, strict: 'throw' },
);
dayCountSchema.index({ organisationId: 1, mode: 1, records: 1, day: 1 }, { unique: true });
dayCountSchema.index({ computedAt: 1 }, { expireAfterSeconds: DAY_COUNT_DAYS * DAY_SECONDS });

export const DayCount = model<DayCountRecord>('DayCount', dayCountSchema);

/** A session or check of an earlier day has changed, so that the day must be counted again. */
export interface DayChangeRecord {
  organisationId: string;
  mode: 'live' | 'test';
  records: CountedRecords;
  /** Beginning of the day in UTC on which the record was created. */
  day: Date;
  changedAt: Date;
}

const dayChangeSchema = new Schema<DayChangeRecord>(
  {
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    records: { type: String, enum: COUNTED_RECORDS, required: true },
    day: { type: Date, required: true },
    changedAt: { type: Date, required: true },
  },
  { collection: 'statistics_day_changes', versionKey: false, strict: 'throw' },
);
/** The last change of each day is read from this index alone. */
export const DAY_CHANGE_INDEX = { organisationId: 1, mode: 1, records: 1, day: 1, changedAt: 1 } as const;
dayChangeSchema.index(DAY_CHANGE_INDEX);
// Longer than counts are used: a change that is removed can only be missing from counts that are computed again.
dayChangeSchema.index({ changedAt: 1 }, { expireAfterSeconds: (DAY_COUNT_DAYS + 2) * DAY_SECONDS });

export const DayChange = model<DayChangeRecord>('DayChange', dayChangeSchema);
