import { createHash, createPrivateKey, createPublicKey, generateKeyPairSync } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { conflictError } from '../../../domain/errors';
import { SHARE_TTL_SECONDS } from '../../../domain/identity/sharing/sharing';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { SigningKey } from '../../../models/platform/access/signing-key';
import type { SigningKeyRecord } from '../../../models/platform/access/signing-key';
import type { Platform } from '../platform';

/** A public key for ES256 as RFC 7517 writes it. */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
}

const buildKeyAad = (kid: string): string => `signing-key:${kid}`;

const findNewestKey = (): Promise<SigningKeyRecord | null> =>
  SigningKey.findOne().sort({ generation: -1 }).lean<SigningKeyRecord>();

const toPublicJwk = ({ _id: kid, x, y }: Pick<SigningKeyRecord, '_id' | 'x' | 'y'>): PublicJwk => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid,
});

/** RFC 7638: the SHA-256 of the key's required members in their order. */
const computeThumbprint = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

/** A key pair of a generation; of two processes that make the same one, one does. @returns whether it was this one */
async function createKeyPair(platform: Platform, generation: number): Promise<boolean> {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const kid = computeThumbprint(x, y);
  const sealed = platform.masterKey.seal(privateKey.export({ format: 'der', type: 'pkcs8' }), buildKeyAad(kid));
  const createdAt = platform.clock.now();
  try {
    await SigningKey.create({ _id: kid, generation, x, y, sealed, createdAt, retiredAt: null });
    return true;
  } catch (error) {
    if (!isDuplicateKeyError(error)) throw error;
    return false;
  }
}

async function ensureCurrentKey(platform: Platform): Promise<SigningKeyRecord> {
  const existing = await findNewestKey();
  if (existing !== null) return existing;
  await createKeyPair(platform, 1);
  const created = await findNewestKey();
  if (created === null) throw new Error('The signing key that was just made is gone.');
  return created;
}

/** The key this installation signs with, made on first use. */
export async function getSigningKey(platform: Platform): Promise<{ kid: string; key: KeyObject }> {
  const record = await ensureCurrentKey(platform);
  const der = platform.masterKey.open(record.sealed, buildKeyAad(record._id));
  return { kid: record._id, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
}

/** Beyond the longest life of a share token: how long others may have kept the published list. */
const KEY_LIST_CACHE_SECONDS = 300;

/** Until when a retired key is published: until the last share it signed has expired. */
const computePublishedUntil = (retiredAt: Date): Date =>
  new Date(retiredAt.getTime() + (SHARE_TTL_SECONDS.max + KEY_LIST_CACHE_SECONDS) * 1000);

/** The public keys that shares of this installation are verified with, the newest first; makes the first. */
export async function listPublishedKeys(platform: Platform): Promise<PublicJwk[]> {
  await ensureCurrentKey(platform);
  const now = platform.clock.now();
  const records = await SigningKey.find().sort({ generation: -1 }).lean<SigningKeyRecord[]>();
  return records
    .filter(({ retiredAt }) => !(retiredAt instanceof Date) || computePublishedUntil(retiredAt) > now)
    .map(toPublicJwk);
}

/** Every public key this installation ever signed with: an old end of an audit chain is verified by an old key. */
export async function listAllKeys(): Promise<PublicJwk[]> {
  return (await SigningKey.find().lean<SigningKeyRecord[]>()).map(toPublicJwk);
}

export interface SigningKeyRotation {
  kid: string;
  generation: number;
  retired: { kid: string; publishedUntil: Date };
}

/**
 * Signs with a new key from now on. The one before stays published until what it signed has expired.
 * @throws AppError 409 `rotated_meanwhile` when another rotation came first
 */
export async function rotateSigningKey(platform: Platform): Promise<SigningKeyRotation> {
  const before = await ensureCurrentKey(platform);
  const generation = before.generation + 1;
  if (!(await createKeyPair(platform, generation))) {
    throw conflictError('rotated_meanwhile', 'Another rotation came first.');
  }
  const retiredAt = platform.clock.now();
  await SigningKey.updateOne({ _id: before._id }, { $set: { retiredAt } });
  const after = await ensureCurrentKey(platform);
  return {
    kid: after._id,
    generation,
    retired: { kid: before._id, publishedUntil: computePublishedUntil(retiredAt) },
  };
}

export const toVerificationKey = ({ kty, crv, x, y }: PublicJwk): KeyObject =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
