import { createCipheriv, createDecipheriv, createHmac, hkdfSync } from 'node:crypto';
import { KEY_BYTES } from '../../../lib/crypto/envelope';
import type { Platform, Scope } from '../platform';
import { getOrganisationKey } from './organisation-keys';
import { getIndexingGeneration, listGenerations, readWrappingKey } from './wrapping-keys';
import type { KeyContext, WrappingKey } from './wrapping-keys';

/**
 * Stands for a value in equality searches: its HMAC under a key of the organisation, encrypted with the newest wrapping
 * key that every process lists. The second step lets a new generation re-encrypt stored values without knowing what they
 * stand for, and makes those in old backups worthless once their generation is removed: a guess cannot be tested against
 * them.
 */
export interface BlindIndex {
  /** The value to store. */
  compute(value: string): string;
  /** The values under which it may be stored: one for each generation that exists. */
  list(value: string): string[];
  /** The value under which versions without wrapping keys have stored it. */
  computeEarlier(value: string): string;
}

/** Marks stored values; no other value of an indexed field begins with it. */
export const BLIND_MARK = '=';
const BLOCK_BYTES = 16;

/** The key that encrypts the hashes of one generation. */
const deriveBlockKey = ({ key }: WrappingKey): Buffer =>
  Buffer.from(hkdfSync('sha256', key, '', 'blind-index', KEY_BYTES));

const formatValue = (generation: string, block: Buffer): string =>
  `${BLIND_MARK}${generation}:${block.toString('base64url')}`;

/** One block of AES is a permutation of 128-bit values: equal hashes stay equal. */
function encryptBlock(key: Buffer, block: Buffer): Buffer {
  const cipher = createCipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return Buffer.concat([cipher.update(block), cipher.final()]);
}

function decryptBlock(key: Buffer, block: Buffer): Buffer {
  const decipher = createDecipheriv('aes-256-ecb', key, null).setAutoPadding(false);
  return Buffer.concat([decipher.update(block), decipher.final()]);
}

/** The wrapping keys of an organisation, first the one that encrypts blind indexes. */
async function readGenerations(platform: KeyContext, organisationId: string): Promise<WrappingKey[]> {
  const indexing = await getIndexingGeneration(platform, organisationId);
  const keys: WrappingKey[] = [];
  for (const generation of new Set([indexing, ...(await listGenerations(platform, organisationId))])) {
    const key = await readWrappingKey(platform, organisationId, generation);
    if (key !== null) keys.push({ generation, key });
  }
  return keys;
}

/** @param purpose separates indexes: equal values of different purposes are stored as different ones */
export async function createBlindIndex(platform: Platform, scope: Scope, purpose: string): Promise<BlindIndex> {
  const { organisationId, mode } = scope;
  const hashKey = await getOrganisationKey(platform, scope, `${purpose}.${organisationId}.${mode}`);
  const wrappingKeys = await readGenerations(platform, organisationId);
  const blockKeys = wrappingKeys.map((one) => ({ generation: one.generation, key: deriveBlockKey(one) }));
  const computeDigest = (value: string): Buffer => createHmac('sha256', hashKey).update(value).digest();
  const list = (value: string): string[] => {
    const hash = computeDigest(value).subarray(0, BLOCK_BYTES);
    return blockKeys.map(({ generation, key }) => formatValue(generation, encryptBlock(key, hash)));
  };
  return {
    list,
    compute: (value) => list(value)[0] ?? '',
    computeEarlier: (value) => computeDigest(value).toString('hex'),
  };
}

/** The value to store for one that a version without wrapping keys stored: the same hash, encrypted. */
export async function convertEarlierValue(
  platform: KeyContext,
  organisationId: string,
  digest: string,
): Promise<string | null> {
  const generation = await getIndexingGeneration(platform, organisationId);
  const key = await readWrappingKey(platform, organisationId, generation);
  if (key === null) return null;
  const hash = Buffer.from(digest, 'hex').subarray(0, BLOCK_BYTES);
  return formatValue(generation, encryptBlock(deriveBlockKey({ generation, key }), hash));
}

/** The hash that a stored value encrypts, whichever the wrapping key; null if its wrapping key no longer exists. */
export async function openHash(platform: KeyContext, organisationId: string, stored: string): Promise<Buffer | null> {
  const [generation = '', encoded = ''] = stored.slice(BLIND_MARK.length).split(':');
  const key = await readWrappingKey(platform, organisationId, generation);
  return key === null ? null : decryptBlock(deriveBlockKey({ generation, key }), Buffer.from(encoded, 'base64url'));
}

/** The values under which rows that stand for the same as a stored value may be stored. */
export async function listStoredForms(platform: KeyContext, organisationId: string, stored: string): Promise<string[]> {
  const hash = await openHash(platform, organisationId, stored);
  if (hash === null) return [stored];
  const wrappingKeys = await readGenerations(platform, organisationId);
  return wrappingKeys.map((one) => formatValue(one.generation, encryptBlock(deriveBlockKey(one), hash)));
}

/** Re-encrypts a stored value with the wrapping key of `generation`; null if its own no longer exists. */
export async function rekeyBlindValue(
  platform: KeyContext,
  organisationId: string,
  stored: string,
  generation: string,
): Promise<string | null> {
  const hash = await openHash(platform, organisationId, stored);
  const key = await readWrappingKey(platform, organisationId, generation);
  if (hash === null || key === null) return null;
  return formatValue(generation, encryptBlock(deriveBlockKey({ generation, key }), hash));
}
