import { model, Schema } from 'mongoose';

/** A key pair this installation signs with (ES256); the newest signs; those before are published as long as their shares hold. */
export interface SigningKeyRecord {
  /** RFC 7638 thumbprint of the public key: its `kid` */
  _id: string;
  /** 1 for the first of an installation */
  generation: number;
  /** coordinates of the public point, base64url */
  x: string;
  y: string;
  /** the private key (PKCS #8), sealed with the master key */
  sealed: { keyId: string; data: string };
  createdAt: Date;
  /** when another took its place; what it signed before stays verifiable */
  retiredAt: Date | null;
}

const signingKeySchema = new Schema<SigningKeyRecord>(
  {
    _id: { type: String, required: true },
    generation: { type: Number, required: true },
    x: { type: String, required: true },
    y: { type: String, required: true },
    sealed: {
      type: new Schema(
        { keyId: { type: String, required: true }, data: { type: String, required: true } },
        { _id: false },
      ),
      required: true,
    },
    createdAt: { type: Date, required: true },
    retiredAt: { type: Date, default: null },
  },
  { collection: 'signing_keys', versionKey: false, strict: 'throw' },
);
// Two processes may want the first key at once: one of them makes it.
signingKeySchema.index({ generation: 1 }, { unique: true });

export const SigningKey = model<SigningKeyRecord>('SigningKey', signingKeySchema);
