import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;
export const KEY_BYTES = 32;

/** Encrypts with AES-256-GCM and a random 96-bit nonce. @returns nonce ‖ ciphertext ‖ tag */
export function encrypt(key: Buffer, plaintext: Buffer, aad: string): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  cipher.setAAD(Buffer.from(aad, 'utf8'));
  return Buffer.concat([nonce, cipher.update(plaintext), cipher.final(), cipher.getAuthTag()]);
}

/** Decrypts the result of {@link encrypt}. Throws if the key, the AAD or any byte is wrong. */
export function decrypt(key: Buffer, sealed: Buffer, aad: string): Buffer {
  if (sealed.length < NONCE_BYTES + TAG_BYTES) throw new Error('The encrypted data is too short.');
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, NONCE_BYTES));
  decipher.setAAD(Buffer.from(aad, 'utf8'));
  decipher.setAuthTag(sealed.subarray(sealed.length - TAG_BYTES));
  const body = decipher.update(sealed.subarray(NONCE_BYTES, sealed.length - TAG_BYTES));
  const rest = decipher.final();
  // GCM keeps nothing back, and a copy of a large file takes as long as its decryption.
  return rest.length === 0 ? body : Buffer.concat([body, rest]);
}
