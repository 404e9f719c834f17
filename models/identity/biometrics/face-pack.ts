import { model, Schema } from 'mongoose';

export interface FacePackRecord {
  /** `fpk_…`: a record with a data key of its own, which seals the faces. */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** SHA-256 of the network that computed the embeddings. */
  model: string;
  /** The pack has the faces that changed last after this revision of the gallery, … */
  after: number;
  /** … up to this one. */
  upTo: number;
  faceIds: string[];
  /** The file with the faces. */
  evidenceId: string;
  createdAt: Date;
}

/**
 * The embeddings of many faces in one file, so that a worker that fills a gallery opens one data key for all of them. A
 * pack is dropped, and its data key destroyed, when one of its faces is no longer searchable.
 */
const facePackSchema = new Schema<FacePackRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    model: { type: String, required: true },
    after: { type: Number, required: true },
    upTo: { type: Number, required: true },
    faceIds: { type: [String], required: true },
    evidenceId: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'face_packs', versionKey: false, strict: 'throw' },
);
facePackSchema.index({ organisationId: 1, mode: 1, model: 1, upTo: 1 });
facePackSchema.index({ organisationId: 1, mode: 1, faceIds: 1 });

export const FacePack = model<FacePackRecord>('FacePack', facePackSchema);
