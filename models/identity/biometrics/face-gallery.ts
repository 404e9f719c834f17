import { model, Schema } from 'mongoose';

export interface FaceGalleryRecord {
  /** `<organisation>.<mode>` */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** raised by every change of a searchable face, in the transaction of the change */
  revision: number;
}

/** Tells workers whether the faces they hold in memory are still those of an organisation. */
const faceGallerySchema = new Schema<FaceGalleryRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    revision: { type: Number, required: true },
  },
  { collection: 'face_galleries', versionKey: false, strict: 'throw' },
);

export const FaceGallery = model<FaceGalleryRecord>('FaceGallery', faceGallerySchema);
