import { Schema } from 'mongoose';
import type { SealedSecret } from '../../../lib/crypto/master-key';

/** A secret encrypted with a master key. Every field of this type is registered in services/platform/keys/sealed-stores.ts. */
export const sealedSecretSchema = new Schema<SealedSecret>(
  { keyId: { type: String, required: true }, data: { type: String, required: true } },
  { _id: false },
);
