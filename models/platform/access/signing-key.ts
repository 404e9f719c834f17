import { model, Schema } from 'mongoose';
import type { SealedSecret } from '../../../lib/crypto/master-key';
import { sealedSecretSchema } from '../keys/sealed-secret';

/** A signing key pair (ES256) of this installation. The newest signs; earlier ones are published until their tokens expire. */
export interface SigningKeyRecord {
  /** `kid`: RFC 7638 thumbprint of the public key. */
  _id: string;
  /** 1 for the first key of an installation. */
  generation: number;
  /** Coordinates of the public point, base64url. */
  x: string;
  y: string;
  /** Private key (PKCS #8), encrypted with the master key. */
  sealed: SealedSecret;
  /** Also the time at which the key of the generation before was retired; what that one signed stays valid. */
  createdAt: Date;
}

const signingKeySchema = new Schema<SigningKeyRecord>(
  {
    _id: { type: String, required: true },
    generation: { type: Number, required: true },
    x: { type: String, required: true },
    y: { type: String, required: true },
    sealed: { type: sealedSecretSchema, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'signing_keys', versionKey: false, strict: 'throw' },
);
// Ensures that only one of several processes creates the key of a generation.
signingKeySchema.index({ generation: 1 }, { unique: true });

export const SigningKey = model<SigningKeyRecord>('SigningKey', signingKeySchema);
