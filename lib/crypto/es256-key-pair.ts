import { generateKeyPairSync } from 'node:crypto';

/** A key pair for ES256 (RFC 7518, 3.4). */
export interface Es256KeyPair {
  /** Coordinates of the public key as a JWK has them: base64url without padding. */
  x: string;
  y: string;
  /** The private key as PKCS #8, DER. */
  privateKey: Buffer;
}

const COORDINATE_BYTES = 32;

/**
 * Generates a key pair on P-256. Its keys are exported by the generation itself: in Node 20, exporting a generated key as a
 * JWK holds a lock that a garbage collection in the middle of it waits for without end.
 */
export function generateEs256KeyPair(): Es256KeyPair {
  const { publicKey, privateKey } = generateKeyPairSync('ec', {
    namedCurve: 'P-256',
    publicKeyEncoding: { type: 'spki', format: 'der' },
    privateKeyEncoding: { type: 'pkcs8', format: 'der' },
  });
  // The uncompressed point, X and then Y, ends the structure (RFC 5480, 2.2).
  const x = publicKey.subarray(-2 * COORDINATE_BYTES, -COORDINATE_BYTES).toString('base64url');
  const y = publicKey.subarray(-COORDINATE_BYTES).toString('base64url');
  return { x, y, privateKey };
}
