import { model, Schema } from 'mongoose';

/**
 * Failed logins of one submitted email address, stored under its keyed hash. Unknown addresses lock like known ones, and
 * the collection contains no addresses.
 */
export interface LoginFailureRecord {
  /** Keyed hash of the normalised address. */
  _id: string;
  failures: number;
  /** Number of failures plus running attempts. */
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
