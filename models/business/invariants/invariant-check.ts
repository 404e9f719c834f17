import { model, Schema } from 'mongoose';
import { INVARIANT_NAMES } from '../../../domain/business/invariants/invariants';
import type { InvariantName, InvariantViolation } from '../../../domain/business/invariants/invariants';

export interface InvariantResult {
  invariant: InvariantName;
  /** Comparisons made. */
  checked: number;
  violations: number;
  /** The first of them. */
  examples: InvariantViolation[];
}

/** The latest look at a company's invariants. */
export interface InvariantCheckRecord {
  /** The organisation's id. */
  _id: string;
  /** Somebody asked for a look at this time; null: only the Schedule. */
  requestedAt: Date | null;
  /** Of the look whose results these are; null before the first. */
  startedAt: Date | null;
  checkedAt: Date | null;
  results: InvariantResult[];
}

const violationSchema = new Schema<InvariantViolation>(
  {
    subject: { type: String, required: true },
    what: { type: String, required: true },
    expected: { type: String },
    found: { type: String },
  },
  { _id: false, strict: 'throw' },
);

const resultSchema = new Schema<InvariantResult>(
  {
    invariant: { type: String, enum: INVARIANT_NAMES, required: true },
    checked: { type: Number, required: true },
    violations: { type: Number, required: true },
    examples: { type: [violationSchema], required: true },
  },
  { _id: false, strict: 'throw' },
);

const invariantCheckSchema = new Schema<InvariantCheckRecord>(
  {
    _id: { type: String, required: true },
    requestedAt: { type: Date, default: null },
    startedAt: { type: Date, default: null },
    checkedAt: { type: Date, default: null },
    results: { type: [resultSchema], required: true },
  },
  { collection: 'invariant_checks', versionKey: false, strict: 'throw' },
);

export const InvariantCheck = model<InvariantCheckRecord>('InvariantCheck', invariantCheckSchema);
