import { model, Schema } from 'mongoose';

/** A share imported by this installation, whoever issued it. Its unique id prevents a second import. */
export interface ShareUseRecord {
  /** SHA-256 of issuer and `jti`. */
  _id: string;
  organisationId: string;
  mode: 'live' | 'test';
  /** Id of the imported session. */
  sessionId: string;
  at: Date;
}

const shareUseSchema = new Schema<ShareUseRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    mode: { type: String, enum: ['live', 'test'], required: true },
    sessionId: { type: String, required: true },
    at: { type: Date, required: true },
  },
  { collection: 'share_uses', versionKey: false, strict: 'throw' },
);

export const ShareUse = model<ShareUseRecord>('ShareUse', shareUseSchema);
