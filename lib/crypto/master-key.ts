import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto';
import { decrypt, encrypt, KEY_BYTES } from './envelope';
import { ConfigError } from '../config-error';
import { parseMasterKeySpec } from './master-key-spec';

/** A secret encrypted with a master key: the id of the key, and the encrypted bytes in base64. */
export interface SealedSecret {
  keyId: string;
  data: string;
}

export interface MasterKeyEntry {
  id: string;
  key: Buffer;
}

/**
 * What keys are derived from the master key for. `rotate-master-key` keeps the derived keys of a replaced master key, so
 * that what they authenticate or encrypt stays usable without it (services/platform/keys/retained-keys.ts).
 */
export const DERIVED_KEY_PURPOSES = [
  'audit-entry',
  'audit-chain',
  'temporal-payload',
  'known-device',
  'capture-link',
  'sign-in-failures',
  'backup',
  'invoice-link',
] as const;
export type DerivedKeyPurpose = (typeof DERIVED_KEY_PURPOSES)[number];

/**
 * The keys that encrypt data keys and secrets at rest. The first key encrypts and all keys decrypt, so that old records
 * stay readable after a new key is added at the front.
 */
export class MasterKey {
  private readonly keys: ReadonlyMap<string, Buffer>;
  /** Id of the key that encrypts. */
  readonly currentKeyId: string;
  private readonly derivedKeys = new Map<string, Buffer>();

  /** @param entries the current key first */
  constructor(entries: readonly MasterKeyEntry[]) {
    const [current] = entries;
    if (current === undefined) throw new Error('There is no master key.');
    this.keys = new Map(entries.map(({ id, key }) => [id, key]));
    this.currentKeyId = current.id;
  }

  /**
   * Parses keys that no key management service encrypts.
   * @param spec `<key id>:<32 bytes base64>`, separated by commas
   * @throws ConfigError
   */
  static parse(spec: string): MasterKey {
    return new MasterKey(
      parseMasterKeySpec(spec).map((entry) => {
        if (entry.key === undefined) throw new ConfigError(`MASTER_KEY: the key ${entry.id} is encrypted.`);
        return entry;
      }),
    );
  }

  /** Ids of the configured keys, the current one first. */
  get keyIds(): string[] {
    return [...this.keys.keys()];
  }

  /** @param aad binds the secret to its record: a copy in another record cannot be decrypted */
  seal(plaintext: Buffer | string, aad: string): SealedSecret {
    const data = typeof plaintext === 'string' ? Buffer.from(plaintext, 'utf8') : plaintext;
    return { keyId: this.currentKeyId, data: encrypt(this.getKey(this.currentKeyId), data, aad).toString('base64') };
  }

  /**
   * Decrypts with the key that sealed the secret.
   * @throws Error if that key is not configured, or if key, AAD or data differ
   */
  open(sealed: SealedSecret, aad: string): Buffer {
    return decrypt(this.getKey(sealed.keyId), Buffer.from(sealed.data, 'base64'), aad);
  }

  /**
   * Authenticates a message with HMAC-SHA-256 under a key derived from the current master key (HKDF, RFC 5869).
   * @param purpose separates uses: a code for one purpose is invalid for every other
   * @returns `<key id>:<hex>`
   */
  authenticate(message: string, purpose: DerivedKeyPurpose): string {
    const key = this.deriveKey(purpose, this.currentKeyId);
    return `${this.currentKeyId}:${createHmac('sha256', key).update(message).digest('hex')}`;
  }

  /** Whether a code is the result of {@link authenticate} for this message, under any configured or retained key. */
  isAuthentic(code: string, message: string, purpose: DerivedKeyPurpose): boolean {
    const separator = code.lastIndexOf(':');
    const key = this.findDerivedKey(purpose, code.slice(0, Math.max(separator, 0)));
    if (key === null) return false;
    const given = Buffer.from(code.slice(separator + 1), 'hex');
    const expected = createHmac('sha256', key).update(message).digest();
    return given.length === expected.length && timingSafeEqual(given, expected);
  }

  /**
   * A key for one purpose, derived from a master key (HKDF, RFC 5869).
   * @throws Error if neither the master key is configured nor the derived key was retained
   */
  deriveKey(purpose: DerivedKeyPurpose, keyId: string): Buffer {
    const key = this.findDerivedKey(purpose, keyId);
    if (key === null) throw new Error(`Master key ${keyId} is not configured.`);
    return key;
  }

  /** Adds a key that was derived from a master key which is no longer configured. A configured key takes precedence. */
  addRetainedKey(purpose: DerivedKeyPurpose, keyId: string, key: Buffer): void {
    if (!this.keys.has(keyId)) this.derivedKeys.set(`${purpose}:${keyId}`, key);
  }

  private findDerivedKey(purpose: string, keyId: string): Buffer | null {
    const name = `${purpose}:${keyId}`;
    const known = this.derivedKeys.get(name);
    if (known !== undefined) return known;
    const masterKey = this.keys.get(keyId);
    if (masterKey === undefined) return null;
    const derived = Buffer.from(hkdfSync('sha256', masterKey, '', purpose, KEY_BYTES));
    this.derivedKeys.set(name, derived);
    return derived;
  }

  private getKey(id: string): Buffer {
    const key = this.keys.get(id);
    if (key === undefined) throw new Error(`Master key ${id} is not configured.`);
    return key;
  }
}
