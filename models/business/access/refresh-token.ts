import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/** A refresh token, which can be used once. */
export interface RefreshTokenRecord {
  /** The `jti` claim of the token. */
  _id: string;
  sessionId: string;
  usedAt: Date | null;
  createdAt: Date;
  expiresAt: Date;
}

const refreshTokenSchema = new Schema<RefreshTokenRecord>(
  {
    _id: { type: String, required: true },
    sessionId: { type: String, required: true },
    usedAt: { type: Date, default: null },
    createdAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'refresh_tokens', versionKey: false, strict: 'throw' },
);
refreshTokenSchema.index({ sessionId: 1 });
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export const RefreshToken = model<RefreshTokenRecord>('RefreshToken', refreshTokenSchema);
