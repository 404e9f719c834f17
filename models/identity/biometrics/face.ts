import { model, Schema } from 'mongoose';
import type { mongo } from 'mongoose';
import { FACE_LISTS } from '../../../domain/identity/biometrics/face-search';
import type { FaceList } from '../../../domain/identity/biometrics/face-search';
import type { FaceQuality } from '../../../domain/identity/biometrics/result';
import type { Risk } from '../../../domain/identity/checks/risks';
import { openRows, sealFields } from '../../sealed-fields';
import type { SealedFields } from '../../sealed-fields';

/**
 * `processing`: not yet embedded. `indexed`: searchable. `rejected`: the image shows no face suitable for searches.
 * `failed`: it could not be examined. `held`: the selfie of a session that is not approved.
 */
export const FACE_STATUSES = ['processing', 'indexed', 'rejected', 'failed', 'held'] as const;

export type FaceStatus = (typeof FACE_STATUSES)[number];

export interface FaceRecord {
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** The record whose data key seals image and embedding: the session of a selfie, else the face itself. */
  recordId: string;
  source: 'index' | 'session';
  sessionId: string | null;
  /** The liveness check of a session's selfie. */
  checkId: string | null;
  list: FaceList;
  name: string | null;
  externalId: string | null;
  /** Blind index of the externalId. */
  externalIdKey: string | null;
  metadata: Record<string, unknown> | null;
  status: FaceStatus;
  evidenceId: string | null;
  /** 512 floats of unit length, sealed under the data key of the record. */
  embedding: Buffer | mongo.Binary | null;
  /** SHA-256 of the network that computed the embedding: embeddings of different networks are not comparable. */
  model: string | null;
  quality: FaceQuality | null;
  risks: Risk[];
  /** The error code of a face that could not be examined. */
  failure: string | null;
  /** The gallery's revision at the last change of this face; 0 if it was never searchable. */
  revision: number;
  createdBy: string;
  createdAt: Date;
  indexedAt: Date | null;
  /** When it is erased automatically; null if it is kept until it is deleted. */
  retainUntil: Date | null;
  deletedAt: Date | null;
}

/** A face for face searches. */
const faceSchema = new Schema<FaceRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    recordId: { type: String, required: true },
    source: { type: String, enum: ['index', 'session'], required: true },
    sessionId: { type: String, default: null },
    checkId: { type: String, default: null },
    list: { type: String, enum: FACE_LISTS, required: true },
    name: { type: Schema.Types.Mixed, default: null },
    externalId: { type: Schema.Types.Mixed, default: null },
    externalIdKey: { type: String, default: null },
    metadata: { type: Schema.Types.Mixed, default: null },
    status: { type: String, enum: FACE_STATUSES, required: true },
    evidenceId: { type: String, default: null },
    embedding: { type: Buffer, default: null },
    model: { type: String, default: null },
    quality: { type: Schema.Types.Mixed, default: null },
    risks: { type: Schema.Types.Mixed, default: () => [] },
    failure: { type: String, default: null },
    revision: { type: Number, required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    indexedAt: { type: Date, default: null },
    retainUntil: { type: Date, default: null },
    deletedAt: { type: Date, default: null },
  },
  { collection: 'faces', versionKey: false, strict: 'throw', minimize: false },
);
const SEALED_FIELDS: SealedFields = {
  collection: 'faces',
  fields: ['name', 'externalId', 'metadata', 'quality', 'risks'],
  owner: 'recordId',
};
sealFields(faceSchema, SEALED_FIELDS);
faceSchema.index({ organisationId: 1, mode: 1, revision: 1 });
faceSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, status: 1, list: 1, _id: -1 });
faceSchema.index({ organisationId: 1, mode: 1, deletedAt: 1, externalIdKey: 1, _id: -1 });
faceSchema.index({ organisationId: 1, mode: 1, sessionId: 1 });
// Serves the retention Schedule, over all organisations.
faceSchema.index({ retainUntil: 1 }, { partialFilterExpression: { retainUntil: { $type: 'date' } } });

/**
 * Decrypts the personal fields of many faces that were read without middleware (`middleware: false`): a cursor would
 * read the data key of each one separately.
 */
export const openFaceFields = async (scope: { organisationId: string; mode: string }, faces: FaceRecord[]) => {
  await openRows(faces, { ...scope }, SEALED_FIELDS, null);
};

export const Face = model<FaceRecord>('Face', faceSchema);
