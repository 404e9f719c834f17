import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import {
  AlteredObjectError,
  isSealedObject,
  openSegments,
  sealSegment,
  streamSegments,
} from '../../../lib/crypto/segments';
import type { SegmentPlace } from '../../../lib/crypto/segments';
import { sha256Hex } from '../../../lib/crypto/secrets';
import type { Platform } from '../platform';
import { getOrganisationKey } from './organisation-keys';

/**
 * Objects that belong to an organisation as a whole rather than to a person: documents, logos, exports, watch lists. They
 * are encrypted with the organisation's file key, a data key like those of persons, and bound to organisation and object
 * key: a copy under another key, or of another organisation, cannot be read.
 */

const getFileKey = (platform: Platform, organisationId: string): Promise<Buffer> =>
  getOrganisationKey(platform, { organisationId, mode: 'live' }, `files:${organisationId}`);

const buildName = (organisationId: string, objectKey: string): string => `${organisationId}:${objectKey}`;

/** Encrypts a part of an object that is uploaded in parts, the first of which has the number 1. */
export async function sealObjectPart(
  platform: Platform,
  organisationId: string,
  objectKey: string,
  body: Buffer,
  place: SegmentPlace,
): Promise<Buffer> {
  const key = await getFileKey(platform, organisationId);
  return sealSegment({ key, name: buildName(organisationId, objectKey) }, body, place);
}

/** Encrypts and writes (or overwrites) an object. */
export async function putEncrypted(
  platform: Platform,
  organisationId: string,
  objectKey: string,
  body: Buffer,
): Promise<void> {
  const sealed = await sealObjectPart(platform, organisationId, objectKey, body, { number: 1, last: true });
  await platform.objects.put(objectKey, sealed, 'application/octet-stream');
}

/**
 * Whether these are the bytes that an earlier version, which did not encrypt, stored under the key. Only keys that
 * contain the hash of their object can show that.
 */
const isEarlierObject = (objectKey: string, bytes: Buffer): boolean =>
  /([0-9a-f]{64})(\.\w+)?$/.exec(objectKey)?.[1] === sha256Hex(bytes);

async function decryptObject(platform: Platform, organisationId: string, objectKey: string, bytes: Buffer) {
  const key = await getFileKey(platform, organisationId);
  return buffer(openSegments({ key, name: buildName(organisationId, objectKey) }, Readable.from([bytes])));
}

/** Reads and decrypts an object. @returns null if it is lost, or not what was written, which is logged */
export async function getEncrypted(
  platform: Platform,
  organisationId: string,
  objectKey: string,
): Promise<Buffer | null> {
  const bytes = await platform.objects.get(objectKey);
  if (bytes === null) return null;
  if (!isSealedObject(bytes) && isEarlierObject(objectKey, bytes)) return bytes;
  try {
    return await decryptObject(platform, organisationId, objectKey, bytes);
  } catch (error) {
    if (!(error instanceof AlteredObjectError)) throw error;
    platform.logger.error({ objectKey, organisationId, err: error }, 'An object was altered in the object store');
    return null;
  }
}

/**
 * Reads and decrypts an object as a stream, which fails at the first byte that is not authentic.
 * @returns null if it is lost
 */
export async function streamEncrypted(
  platform: Platform,
  organisationId: string,
  objectKey: string,
): Promise<Readable | null> {
  // Before the connection to the object store, which would stay open if there were no key.
  const key = await getFileKey(platform, organisationId);
  const source = await platform.objects.stream(objectKey);
  return source === null ? null : streamSegments({ key, name: buildName(organisationId, objectKey) }, source);
}

/** Encrypts an object that an earlier version stored as it is. @returns whether it was one */
export async function encryptEarlierObject(
  platform: Platform,
  organisationId: string,
  objectKey: string,
): Promise<boolean> {
  const bytes = await platform.objects.get(objectKey);
  if (bytes === null || isSealedObject(bytes) || !isEarlierObject(objectKey, bytes)) return false;
  await putEncrypted(platform, organisationId, objectKey, bytes);
  return true;
}
