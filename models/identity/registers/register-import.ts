import { model, Schema } from 'mongoose';
import { REGISTER_KINDS, REGISTER_STATUSES } from '../../../domain/identity/registers/columns';
import type { RegisterKind, RegisterStatus } from '../../../domain/identity/registers/columns';

/** A rejected row; the problem never contains the value. */
export interface RowProblem {
  /** Line of the file; the header is line 1. */
  line: number;
  field: string;
  problem: string;
}

export interface RegisterImportRecord {
  /** `reg_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  kind: RegisterKind;
  status: RegisterStatus;
  /** SHA-256 of the file as uploaded, hex. */
  sha256: string;
  bytes: number;
  rows: { total: number; imported: number; rejected: number };
  /** Countries of the imported rows, ISO 3166-1 alpha-2: the countries that the register covers. */
  countries: string[];
  /** The first 100 problems. */
  problems: RowProblem[];
  /** Error code of a failed import. */
  failure: string | null;
  /** Number of attempts at the import; only the latest one may write. Absent before the first. */
  attempts?: number;
  /** Number of transactions that wrote rows; makes them conflict with the beginning of another attempt. */
  writes?: number;
  createdBy: string;
  createdAt: Date;
  completedAt: Date | null;
  /** Time at which the version was replaced by another one, or its import failed. */
  retiredAt: Date | null;
  deletedAt: Date | null;
}

const problemSchema = new Schema(
  {
    line: { type: Number, required: true },
    field: { type: String, required: true },
    problem: { type: String, required: true },
  },
  { _id: false },
);

const rowsSchema = new Schema(
  {
    total: { type: Number, required: true },
    imported: { type: Number, required: true },
    rejected: { type: Number, required: true },
  },
  { _id: false },
);

/**
 * A version of one of an organisation's own registers. Its rows carry its id; lookups read the rows of the active
 * version.
 */
const registerImportSchema = new Schema<RegisterImportRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    kind: { type: String, enum: REGISTER_KINDS, required: true },
    status: { type: String, enum: REGISTER_STATUSES, required: true },
    sha256: { type: String, required: true },
    bytes: { type: Number, required: true },
    rows: { type: rowsSchema, required: true },
    countries: { type: [String], default: [] },
    problems: { type: [problemSchema], default: [] },
    failure: { type: String, default: null },
    attempts: { type: Number },
    writes: { type: Number },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    retiredAt: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'register_imports', versionKey: false, strict: 'throw' },
);
registerImportSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, kind: 1, status: 1, _id: -1 });
registerImportSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, _id: -1 });
// For the retention sweep over all organisations.
registerImportSchema.index({ retiredAt: 1 }, { partialFilterExpression: { retiredAt: { $type: 'date' } } });
// Of two simultaneous imports only one becomes the active version.
registerImportSchema.index(
  { organisationId: 1, mode: 1, kind: 1 },
  { unique: true, partialFilterExpression: { status: 'active', deletedAt: null } },
);

export const RegisterImport = model<RegisterImportRecord>('RegisterImport', registerImportSchema);
