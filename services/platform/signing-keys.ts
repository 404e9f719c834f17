import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { isDuplicateKey } from '../../lib/mongo';
import { SigningKey } from '../../models/platform/signing-key';
import type { SigningKeyRecord } from '../../models/platform/signing-key';
import type { Platform } from './platform';

/** A public key for ES256 as RFC 7517 writes it. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
}

const aadOf = (kid: string): string => `signing-key:${kid}`;

const newest = (): Promise<SigningKeyRecord | null> =>
  SigningKey.findOne().sort({ generation: -1 }).lean<SigningKeyRecord>();

const jwkOf = ({ _id: kid, x, y }: Pick<SigningKeyRecord, '_id' | 'x' | 'y'>): PublicJwk => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid,
});

/** RFC 7638: the SHA-256 of the key's required members in their order. */
const thumbprint = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

async function makeFirst(platform: Platform): Promise<SigningKeyRecord | null> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = thumbprint(x, y);
  const sealed = platform.masterKey.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), aadOf(kid));
  try {
    await SigningKey.create({ _id: kid, generation: 1, x, y, sealed, createdAt: platform.clock.now() });
  } catch (error) {
    if (!isDuplicateKey(error)) throw error;
  }
  return newest();
}

/** The key this installation signs with, made on first use. */
export async function signingKey(platform: Platform): Promise<{ kid: string; key: KeyObject }> {
  const record = (await newest()) ?? (await makeFirst(platform));
  if (record === null) throw new Error('The signing key that was just made is gone.');
  const der = platform.masterKey.open(record.sealed, aadOf(record._id));
  return { kid: record._id, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

/** Every public key of this installation, the newest first; makes the first. */
export async function publishedKeys(platform: Platform): Promise<PublicJwk[]> {
  await signingKey(platform);
  const records = await SigningKey.find().sort({ generation: -1 }).lean<SigningKeyRecord[]>();
  return records.map(jwkOf);
}

export const verificationKey = ({ kty, crv, x, y }: PublicJwk): KeyObject =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
