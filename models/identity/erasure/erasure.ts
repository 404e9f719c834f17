import { model, Schema } from 'mongoose';
import { ERASURE_REASONS, ERASURE_STATUSES, PERSON_RECORD_KINDS } from '../../../domain/identity/erasure/erasure';
import type {
  ErasedRows,
  ErasureReason,
  ErasureStatus,
  PersonRecordKind,
} from '../../../domain/identity/erasure/erasure';

/** An erased file, without personal data. */
export interface ErasedEvidence {
  id: string;
  /** SHA-256 of the file as uploaded, hex. */
  sha256: string;
}

export interface ErasureRecord {
  /** `era_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  kind: PersonRecordKind;
  recordId: string;
  /**
   * Ids of the record and its parts, such as a session's checks: everything that refers to one of them is erased too.
   */
  ids: string[];
  reason: ErasureReason;
  /** Id of the API key or user, or `system`. */
  actor: string;
  status: ErasureStatus;
  requestedAt: Date;
  completedAt: Date | null;
  /** Number of data keys destroyed by the transaction that started the erasure. */
  dataKeys: number;
  evidence: ErasedEvidence[];
  /** Number of objects removed from the store; null until they are removed. */
  objects: number | null;
  /** Results by collection, in the order of erasure. */
  collections: (ErasedRows & { name: string })[];
}

const collectionSchema = new Schema(
  {
    name: { type: String, required: true },
    removed: { type: Number, required: true },
    anonymised: { type: Number, required: true },
  },
  { _id: false },
);

const evidenceSchema = new Schema(
  { id: { type: String, required: true }, sha256: { type: String, required: true } },
  { _id: false },
);

/** Receipt and progress of an erasure: ids, counts and hashes, no personal data. */
const erasureSchema = new Schema<ErasureRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    kind: { type: String, enum: PERSON_RECORD_KINDS, required: true },
    recordId: { type: String, required: true },
    ids: { type: [String], required: true },
    reason: { type: String, enum: ERASURE_REASONS, required: true },
    actor: { type: String, required: true },
    status: { type: String, enum: ERASURE_STATUSES, required: true },
    requestedAt: { type: Date, required: true },
    completedAt: { type: Date, default: null },
    dataKeys: { type: Number, required: true },
    evidence: { type: [evidenceSchema], default: [] },
    objects: { type: Number, default: null },
    collections: { type: [collectionSchema], default: [] },
  },
  { collection: 'erasures', versionKey: false, strict: 'throw' },
);
// A record is erased only once.
erasureSchema.index({ organisationId: 1, mode: 1, recordId: 1 }, { unique: true });
erasureSchema.index({ organisationId: 1, mode: 1, _id: -1 });

export const Erasure = model<ErasureRecord>('Erasure', erasureSchema);
