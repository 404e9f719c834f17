import { createHash, createPrivateKey, createPublicKey } from 'node:crypto';
import type { KeyObject } from 'node:crypto';
import { conflictError } from '../../../domain/errors';
import { SHARE_TTL_SECONDS } from '../../../domain/identity/sharing/sharing';
import { generateEs256KeyPair } from '../../../lib/crypto/es256-key-pair';
import { isDuplicateKeyError } from '../../../lib/mongo';
import { SigningKey } from '../../../models/platform/access/signing-key';
import type { SigningKeyRecord } from '../../../models/platform/access/signing-key';
import type { Platform } from '../platform';

/** A public ES256 key in JWK format (RFC 7517). */
export interface PublicJwk {
  kty: 'EC';
  crv: 'P-256';
  x: string;
  y: string;
  kid: string;
}

/** Binds a private key to its public key. */
export const buildSigningKeyAad = (kid: string): string => `signing-key:${kid}`;

const findNewestKey = (): Promise<SigningKeyRecord | null> =>
  SigningKey.findOne().sort({ generation: -1 }).lean<SigningKeyRecord>();

const toPublicJwk = ({ _id: kid, x, y }: Pick<SigningKeyRecord, '_id' | 'x' | 'y'>): PublicJwk => ({
  kty: 'EC',
  crv: 'P-256',
  x,
  y,
  kid,
});

/** JWK thumbprint (RFC 7638): SHA-256 of the key's required members in lexicographic order. */
const computeThumbprint = (x: string, y: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');

/** Creates the key pair of a generation. @returns false if another process has created it at the same time */
async function createKeyPair(platform: Platform, generation: number): Promise<boolean> {
  const { x, y, privateKey } = generateEs256KeyPair();
  const kid = computeThumbprint(x, y);
  const sealed = platform.masterKey.seal(privateKey, buildSigningKeyAad(kid));
  const createdAt = platform.clock.now();
  try {
    await SigningKey.create({ _id: kid, generation, x, y, sealed, createdAt });
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
  if (created === null) throw new Error('The new signing key was not found.');
  return created;
}

function openPrivateKey(platform: Platform, { _id: kid, sealed }: SigningKeyRecord): KeyObject {
  const der = platform.masterKey.open(sealed, buildSigningKeyAad(kid));
  return createPrivateKey({ key: der, format: 'der', type: 'pkcs8' });
}

/** The current signing key of this installation, created on first use. */
export async function getSigningKey(platform: Platform): Promise<{ kid: string; key: KeyObject }> {
  const record = await ensureCurrentKey(platform);
  return { kid: record._id, key: openPrivateKey(platform, record) };
}

/** Added to the maximum lifetime of a share token: how long other installations may cache the published keys. */
const KEY_LIST_CACHE_SECONDS = 300;

/**
 * A retired key stays published until the last share token it signed has expired.
 * @param retiredAt when the next key was created, so that a rotation is one write
 */
const computePublishedUntil = (retiredAt: Date): Date =>
  new Date(retiredAt.getTime() + (SHARE_TTL_SECONDS.max + KEY_LIST_CACHE_SECONDS) * 1000);

/** The public keys that verify share tokens of this installation, newest first. Creates the first key if needed. */
export async function listPublishedKeys(platform: Platform): Promise<PublicJwk[]> {
  await ensureCurrentKey(platform);
  const now = platform.clock.now();
  const records = await SigningKey.find().sort({ generation: -1 }).lean<SigningKeyRecord[]>();
  return records
    .filter((_record, index) => {
      const successor = records[index - 1];
      return successor === undefined || computePublishedUntil(successor.createdAt) > now;
    })
    .map(toPublicJwk);
}

/**
 * The public key of a key pair of this installation, also a retired one. It is derived from the encrypted private key:
 * the public members in the database could have been replaced.
 */
export async function findVerificationKey(platform: Platform, kid: string): Promise<KeyObject | null> {
  const record = await SigningKey.findById(kid).lean<SigningKeyRecord>();
  if (record === null) return null;
  return createPublicKey(openPrivateKey(platform, record));
}

export interface SigningKeyRotation {
  kid: string;
  generation: number;
  retired: { kid: string; publishedUntil: Date };
}

/**
 * Replaces the signing key. The previous key stays published until the tokens it signed have expired.
 * @throws AppError 409 `rotated_meanwhile` if another rotation ran at the same time
 */
export async function rotateSigningKey(platform: Platform): Promise<SigningKeyRotation> {
  const before = await ensureCurrentKey(platform);
  const generation = before.generation + 1;
  if (!(await createKeyPair(platform, generation))) {
    throw conflictError(
      'rotated_meanwhile',
      'Another rotation has replaced the signing key at the same time; this one has changed nothing.',
    );
  }
  const { _id: kid, createdAt } = await ensureCurrentKey(platform);
  return { kid, generation, retired: { kid: before._id, publishedUntil: computePublishedUntil(createdAt) } };
}

/** The key with which signatures are verified. */
export const toVerificationKey = ({ kty, crv, x, y }: PublicJwk): KeyObject =>
  createPublicKey({ key: { kty, crv, x, y }, format: 'jwk' });
