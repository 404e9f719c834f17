import { model, Schema } from 'mongoose';

export interface FaceGalleryRecord {
  /** `<organisation>.<mode>` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Raised by every change of a searchable face, in the same transaction. */
  revision: number;
  /** When faces were last packed; written so that packing and a change of faces conflict. */
  packedAt?: Date | null;
  /** The revision up to which faces were packed, except for a few. */
  packedRevision?: number | null;
  /** Until when a process that packs the faces has claimed the gallery. */
  packingUntil?: Date | null;
}

/** Lets workers detect that the faces they hold in memory have changed. */
const faceGallerySchema = new Schema<FaceGalleryRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    revision: { type: Number, required: true },
    packedAt: { type: Date, default: null },
    packedRevision: { type: Number, default: null },
    packingUntil: { type: Date, default: null },
  },
  { collection: 'face_galleries', versionKey: false, strict: 'throw' },
);

export const FaceGallery = model<FaceGalleryRecord>('FaceGallery', faceGallerySchema);
