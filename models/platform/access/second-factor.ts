import { model, Schema } from 'mongoose';
import type { SealedSecret } from '../../../lib/crypto/master-key';

/** The second factor of a user: a generator of time-based codes (TOTP, RFC 6238) and recovery codes. */
export interface SecondFactorRecord {
  /** Id of the user. */
  _id: string;
  organisationId: string;
  /** The shared secret, encrypted with the master key. */
  secret: SealedSecret;
  /** When the user proved to have the generator; null before, while the factor is not asked for. */
  confirmedAt: Date | null;
  /** The period of the code that was accepted last: this one and earlier ones are not accepted again. */
  lastPeriod: number;
  /** SHA-256 of the recovery codes that were not used yet. */
  recoveryHashes: string[];
}

const secondFactorSchema = new Schema<SecondFactorRecord>(
  {
    _id: { type: String, required: true },
    organisationId: { type: String, required: true },
    secret: { keyId: { type: String, required: true }, data: { type: String, required: true } },
    confirmedAt: { type: Date, default: null },
    lastPeriod: { type: Number, required: true, default: 0 },
    recoveryHashes: { type: [String], required: true, default: [] },
  },
  { collection: 'second_factors', versionKey: false, strict: 'throw' },
);
secondFactorSchema.index({ organisationId: 1 });

export const SecondFactor = model<SecondFactorRecord>('SecondFactor', secondFactorSchema);
