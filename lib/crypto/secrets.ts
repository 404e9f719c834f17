import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';

/** A random secret in base64url; 32 bytes contain 256 bits of entropy. */
export const generateSecret = (bytes = 32): string => randomBytes(bytes).toString('base64url');

/** SHA-256, hex. */
export const sha256Hex = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

/** HMAC-SHA-256, hex. Personal data hashed with it cannot be guessed without the key. */
export const hmacSha256Hex = (key: string, data: string): string =>
  createHmac('sha256', key).update(data).digest('hex');

/** Compares strings in a time that does not depend on the position of the first difference. */
export function constantTimeEqual(a: string, b: string): boolean {
  const left = createHash('sha256').update(a).digest();
  const right = createHash('sha256').update(b).digest();
  return timingSafeEqual(left, right);
}
