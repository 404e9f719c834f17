import { model, Schema } from 'mongoose';
import { INVARIANT_NAMES } from '../../../domain/business/invariants/invariants';
import type { InvariantName, InvariantViolation } from '../../../domain/business/invariants/invariants';

export interface InvariantResult {
  invariant: InvariantName;
  /** Number of comparisons. */
  checked: number;
  violations: number;
  /** The first violations. */
  examples: InvariantViolation[];
}

/** The latest check of the invariants of a company. */
export interface InvariantCheckRecord {
  /** Id of the organisation. */
  _id: string;
  /** Time of the latest request by a user; null if only the Schedule has run. */
  requestedAt: Date | null;
  /** Start of the check with these results; null before the first check. */
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
