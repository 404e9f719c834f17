import { decrypt, encrypt } from '../../../lib/crypto/envelope';
import { hmacSha256Hex } from '../../../lib/crypto/secrets';
import { buildValueAad, ensureDataKey } from './data-keys';
import type { Platform, Scope } from '../platform';

/** Encrypts values of one person record with its data key. They are unreadable once the key is destroyed. */
export interface RecordCipher {
  /** Returns base64. @param context binds the value to its field: a copy in another field cannot be decrypted */
  seal(value: string, context: string): string;
  open(sealed: string, context: string): string;
  /** A keyed hash for equality lookups, which reveals nothing without the key. */
  computeLookupKey(value: string): string;
}

/** @throws AppError 404 if the record has been erased */
export async function createRecordCipher(platform: Platform, scope: Scope, recordId: string): Promise<RecordCipher> {
  const { key } = await ensureDataKey(platform, scope, recordId);
  const aad = (context: string): string => buildValueAad(scope.organisationId, recordId, context);
  // A derived key, so that hashes and ciphertexts do not share a key.
  const hashKey = hmacSha256Hex(key.toString('base64'), 'look-up');
  return {
    seal: (value, context) => encrypt(key, Buffer.from(value, 'utf8'), aad(context)).toString('base64'),
    open: (sealed, context) => decrypt(key, Buffer.from(sealed, 'base64'), aad(context)).toString('utf8'),
    computeLookupKey: (value) => hmacSha256Hex(hashKey, value),
  };
}
