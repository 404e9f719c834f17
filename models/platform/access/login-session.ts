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
  /** Address and User-Agent of the sign-in; null for sessions of earlier versions. */
  address: string | null;
  device: string | null;
  createdAt: Date;
  /** Written at most once a minute. */
  lastSeenAt: Date | null;
  revokedAt: Date | null;
  /** `logout`, `reuse`, `user` or `ended`. */
  revokedReason: string | null;
  /** Expiry of the latest refresh token; MongoDB removes the record a day later. */
  expiresAt: Date;
}

const loginSessionSchema = new Schema<LoginSessionRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    userId: { type: String, required: true },
    address: { type: String, default: null },
    device: { type: String, default: null },
    createdAt: { type: Date, required: true },
    lastSeenAt: { type: Date, default: null },
    revokedAt: { type: Date, default: null },
    revokedReason: { type: String, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'login_sessions', versionKey: false, strict: 'throw' },
);
loginSessionSchema.index({ userId: 1, revokedAt: 1 });
loginSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: DAY_SECONDS });

export const LoginSession = model<LoginSessionRecord>('LoginSession', loginSessionSchema);
