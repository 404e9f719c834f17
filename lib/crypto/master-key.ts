import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES } from './envelope';
import { ConfigError } from '../config';

/** A secret encrypted with a master key: the id of the key, and the encrypted bytes in base64. */
export interface SealedSecret {
  keyId: string;
  data: string;
}

/**
 * The keys that encrypt data keys and secrets at rest. The first key encrypts and all keys decrypt, so that old records
 * stay readable after a new key is added at the front.
 */
export class MasterKey {
  private readonly keys: ReadonlyMap<string, Buffer>;
  private readonly currentKeyId: string;
  private readonly authenticationKeys = new Map<string, Buffer>();

  /** @param spec `<key id>:<32 bytes base64>`, separated by commas */
  constructor(spec: string) {
    const entries = spec.split(',').map((part) => {
      const [id, encoded] = part.trim().split(':');
      const key = Buffer.from(encoded ?? '', 'base64');
      if (id === undefined || id === '' || key.length !== KEY_BYTES) {
        throw new ConfigError('MASTER_KEY: accepts <key id>:<32 bytes in base64>, separated by commas.');
      }
      return [id, key] as const;
    });
    const first = entries[0];
    if (first === undefined) throw new ConfigError('MASTER_KEY: accepts <key id>:<32 bytes in base64>.');
    this.keys = new Map(entries);
    this.currentKeyId = first[0];
  }

  /** @param aad binds the secret to its record: a copy in another record cannot be decrypted */
  seal(plaintext: Buffer | string, aad: string): SealedSecret {
    const data = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
    return { keyId: this.currentKeyId, data: encrypt(this.getKey(this.currentKeyId), data, aad).toString('base64') };
  }

  open(sealed: SealedSecret, aad: string): Buffer {
    return decrypt(this.getKey(sealed.keyId), Buffer.from(sealed.data, 'base64'), aad);
  }

  /**
   * Authenticates a message with HMAC-SHA-256 under a key derived from the current master key (HKDF, RFC 5869).
   * @param purpose separates uses: a code for one purpose is invalid for every other
   * @returns `<key id>:<hex>`
   */
  authenticate(message: string, purpose: string): string {
    return `${this.currentKeyId}:${this.computeCode(this.currentKeyId, message, purpose).toString('hex')}`;
  }

  /** Whether a code is the result of {@link authenticate} for this message, under any configured key. */
  isAuthentic(code: string, message: string, purpose: string): boolean {
    const separator = code.lastIndexOf(':');
    const keyId = code.slice(0, Math.max(separator, 0));
    if (!this.keys.has(keyId)) return false;
    const given = Buffer.from(code.slice(separator + 1), 'hex');
    const expected = this.computeCode(keyId, message, purpose);
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  private computeCode(keyId: string, message: string, purpose: string): Buffer {
    const name = `${purpose}:${keyId}`;
    let key = this.authenticationKeys.get(name);
    if (key === undefined) {
      key = Buffer.from(hkdfSync('sha256', this.getKey(keyId), '', purpose, KEY_BYTES));
      this.authenticationKeys.set(name, key);
    }
    return createHmac('sha256', key).update(message).digest();
  }

  private getKey(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`Master key ${id} is not configured.`);
    return key;
  }
}
