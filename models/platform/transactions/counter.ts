import { model, Schema } from 'mongoose';

/** Counters of an organisation; `_id` is `<organisationId>.<name>`. */
export interface CounterRecord {
  _id: string;
  value: number;
  /** Numbers of a sequence without gaps that no record is known to have yet, until they are given to another record. */
  pending?: { number: number; until: Date }[];
}

const counterSchema = new Schema<CounterRecord>(
  {
    _id: { type: String, required: true },
    value: { type: Number, required: true, default: 0 },
    pending: {
      type: [
        new Schema({ number: { type: Number, required: true }, until: { type: Date, required: true } }, { _id: false }),
      ],
      default: undefined,
    },
  },
  { collection: 'counters', versionKey: false, strict: 'throw' },
);

export const Counter = model<CounterRecord>('Counter', counterSchema);
