import { model, Schema } from 'mongoose';

/**
 * A signed-in session: the family of refresh tokens that began with one login. Access tokens carry its id, and every
 * request looks here, so that a logout ends them at once.
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
  /** The refresh life after its last refresh; MongoDB removes the record a day later. */
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
loginSessionSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 86_400 });

export const LoginSession = model<LoginSessionRecord>('LoginSession', loginSessionSchema);

/** One refresh token, by the id inside it; used once. */
export interface RefreshTokenRecord {
  /** The token's `jti`. */
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
refreshTokenSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 86_400 });

export const RefreshToken = model<RefreshTokenRecord>('RefreshToken', refreshTokenSchema);

/**
 * Failed logins of one submitted address, known or not, by its keyed hash: unknown addresses lock exactly as known
 * ones do, and the collection holds no address.
 */
export interface LoginFailureRecord {
  /** Keyed hash of the normalised address. */
  _id: string;
  failures: number;
  /** Failures and attempts whose password is being checked right now. */
  spent: number;
  lockedUntil: Date | null;
  expiresAt: Date;
}

const loginFailureSchema = new Schema<LoginFailureRecord>(
  {
    _id: { type: String, required: true },
    failures: { type: Number, required: true },
    spent: { type: Number, required: true },
    lockedUntil: { type: Date, default: null },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'login_failures', versionKey: false, strict: 'throw' },
);
loginFailureSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const LoginFailure = model<LoginFailureRecord>('LoginFailure', loginFailureSchema);
