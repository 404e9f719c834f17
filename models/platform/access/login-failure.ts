import { model, Schema } from 'mongoose';

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
