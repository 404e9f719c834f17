import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import { hmacSha256Hex } from '../../../lib/crypto/secrets';
import { ensureDataKey } from './data-keys';
import type { Platform, Scope } from '../platform';

/** Seals values of one person record under its data key; once the key is destroyed nothing of them can be read. */
export interface RecordCipher {
  /** In base64. @param context binds the value to where it is kept: copied elsewhere it does not open */
  seal(value: string, context: string): string;
  open(sealed: string, context: string): string;
  /** A hash that finds the same value again and tells nothing without the key. */
  computeLookupKey(value: string): string;
}

/** @throws AppError 404 once the record is erased */
export async function createRecordCipher(platform: Platform, scope: Scope, recordId: string): Promise<RecordCipher> {
  const { key } = await ensureDataKey(platform, scope, recordId);
  const aad = (context: string): string => `value:${scope.organisationId}:${recordId}:${context}`;
  // Not the data key itself, so that hashes and ciphertexts share no key.
  const hashKey = hmacSha256Hex(key.toString('base64'), 'look-up');
  return {
    seal: (value, context) => encrypt(key, Buffer.from(value, 'utf8'), aad(context)).toString('base64'),
    open: (sealed, context) => decrypt(key, Buffer.from(sealed, 'base64'), aad(context)).toString('utf8'),
    computeLookupKey: (value) => hmacSha256Hex(hashKey, value),
  };
}
