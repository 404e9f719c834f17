import { model, Schema } from 'mongoose';

/**
 * Failed sign-in attempts that count together, such as those for one submitted email address from one client address.
 * Unknown email addresses count like known ones, and the collection contains neither kind of address.
 */
export interface LoginFailureRecord {
  /** Keyed hash of what the attempts have in common. */
  _id: string;
  /** Keyed hash of the email address. */
  account: string;
  failures: number;
  /** Number of failures plus running attempts. */
  spent: number;
  /** No attempt begins before this instant; null below the limit. */
  blockedUntil: Date | null;
  /** Begin of the latest attempt. */
  attemptedAt: Date;
  expiresAt: Date;
}

const loginFailureSchema = new Schema<LoginFailureRecord>(
  {
    _id: { type: String, required: true },
    account: { type: String, required: true },
    failures: { type: Number, required: true },
    spent: { type: Number, required: true },
    blockedUntil: { type: Date, default: null },
    attemptedAt: { type: Date, required: true },
    expiresAt: { type: Date, required: true },
  },
  { collection: 'login_failures', versionKey: false, strict: 'throw' },
);
loginFailureSchema.index({ account: 1 });
loginFailureSchema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });

export const LoginFailure = model<LoginFailureRecord>('LoginFailure', loginFailureSchema);
