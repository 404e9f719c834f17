import { model, Schema } from 'mongoose';
import { ERASURE_REASONS, ERASURE_STATUSES, PERSON_RECORD_KINDS } from '../../../domain/identity/erasure/erasure';
import type {
  ErasedRows,
  ErasureReason,
  ErasureStatus,
  PersonRecordKind,
} from '../../../domain/identity/erasure/erasure';

/** A file that was erased, as far as a receipt may name it. */
export interface ErasedEvidence {
  id: string;
  /** of the file as sent */
  sha256: string;
}

export interface ErasureRecord {
  /** `era_…` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  kind: PersonRecordKind;
  recordId: string;
  /** The record and its parts, such as a session's checks: whatever refers to one of them goes too. */
  ids: string[];
  reason: ErasureReason;
  /** credential, user or `system` */
  actor: string;
  status: ErasureStatus;
  requestedAt: Date;
  completedAt: Date | null;
  /** data keys destroyed in the transaction that began it */
  dataKeys: number;
  evidence: ErasedEvidence[];
  /** objects removed from the store; null until that is done */
  objects: number | null;
  /** by collection, in the order they were erased */
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

/** The receipt of an erasure, and how far it has come: ids, counts and hashes, nothing of the person. */
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
// A record is erased once.
erasureSchema.index({ organisationId: 1, mode: 1, recordId: 1 }, { unique: true });
erasureSchema.index({ organisationId: 1, mode: 1, _id: -1 });

export const Erasure = model<ErasureRecord>('Erasure', erasureSchema);
