import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import { keyedHash } from '../../../lib/crypto/secrets';
import { ensureDataKey } from './data-keys';
import type { Platform, Scope } from '../platform';

/** Seals values of one person record under its data key; once the key is destroyed nothing of them can be read. */
export interface RecordCipher {
  /** In base64. @param place binds the value to where it is kept: copied elsewhere it does not open */
  seal(value: string, place: string): string;
  open(sealed: string, place: string): string;
  /** A hash that finds the same value again and tells nothing without the key. */
  lookUpKey(value: string): string;
}

/** @throws AppError 404 once the record is erased */
export async function recordCipher(platform: Platform, scope: Scope, recordId: string): Promise<RecordCipher> {
  const { key } = await ensureDataKey(platform, scope, recordId);
  const aad = (place: string): string => `value:${scope.organisationId}:${recordId}:${place}`;
  // Not the data key itself, so that hashes and ciphertexts share no key.
  const hashKey = keyedHash(key.toString('base64'), 'look-up');
  return {
    seal: (value, place) => encrypt(key, Buffer.from(value, 'utf8'), aad(place)).toString('base64'),
    open: (sealed, place) => decrypt(key, Buffer.from(sealed, 'base64'), aad(place)).toString('utf8'),
    lookUpKey: (value) => keyedHash(hashKey, value),
  };
}
