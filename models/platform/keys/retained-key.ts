import { model, Schema } from 'mongoose';
import { DERIVED_KEY_PURPOSES } from '../../../lib/crypto/master-key';
import type { DerivedKeyPurpose, SealedSecret } from '../../../lib/crypto/master-key';
import { sealedSecretSchema } from './sealed-secret';

/**
 * A key derived from a master key that was replaced: it verifies what the service authenticated before, and cannot
 * decrypt what the master key encrypted.
 */
export interface RetainedKeyRecord {
  /** `<purpose>:<id of the master key>` */
  _id: string;
  purpose: DerivedKeyPurpose;
  masterKeyId: string;
  /** The derived key, encrypted with the current master key. */
  sealed: SealedSecret;
  createdAt: Date;
}

const retainedKeySchema = new Schema<RetainedKeyRecord>(
  {
    _id: { type: String, required: true },
    purpose: { type: String, enum: DERIVED_KEY_PURPOSES, required: true },
    masterKeyId: { type: String, required: true },
    sealed: { type: sealedSecretSchema, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'retained_keys', versionKey: false, strict: 'throw' },
);

export const RetainedKey = model<RetainedKeyRecord>('RetainedKey', retainedKeySchema);
