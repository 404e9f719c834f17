import { model, Schema } from 'mongoose';
import { DAY_SECONDS } from '../../../domain/durations';

/**
 * A session: the family of refresh tokens of one login. Access tokens contain its id and every request reads the
 * session, so that signing out revokes them immediately.
 */
export interface LoginSessionRecord {
  /** `fam_…` */
  _id: string;
  organisationId: string;
  userId: string;
  createdAt: Date;
  revokedAt: Date | null;
  /** `logout`, `reuse` or `user`. */
  revokedReason: string | null;
  /** Expiry of the latest refresh token; MongoDB removes the record a day later. */
  expiresAt: Date;
}

const loginSessionSchema = new Schema<LoginSessionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    userId: { type: String, required: true },
    createdAt: { type: Date, required: true },
    revokedAt: { type: Date, default: null },
    revokedReason: { type: String, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'login_sessions', versionKey: false, strict: 'throw' },
);
loginSessionSchema.index({ userId: 1, revokedAt: 1 });
loginSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export const LoginSession = model<LoginSessionRecord>('LoginSession', loginSessionSchema);

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
