/** A service that encrypts and decrypts the master key with a key that never leaves it. */
export interface KeyManagementService {
  /** Name for messages. */
  readonly name: string;
  /**
   * Encrypts a master key.
   * @param keyId bound to the result as additional authenticated data
   * @returns what {@link KeyManagementService.decrypt} accepts, without commas and white space
   * @throws KmsError
   */
  encrypt(key: Buffer, keyId: string): Promise<string>;
  /** Decrypts the result of {@link KeyManagementService.encrypt} for the same key id. @throws KmsError */
  decrypt(ciphertext: string, keyId: string): Promise<Buffer>;
}

/** A key management service did not do what it was asked for. */
export class KmsError extends Error {
  /** @param isPermanent whether the same request will be refused again: the configuration is wrong */
  constructor(
    message: string,
    readonly isPermanent: boolean,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }
}

/** Time for one request. */
export const KMS_TIMEOUT_MS = 10_000;

/** What is authenticated together with a master key, so that a ciphertext cannot be used under another id. */
export const buildKeyContext = (keyId: string): string => `vouch-master-key:${keyId}`;
