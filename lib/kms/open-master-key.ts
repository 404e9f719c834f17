import { setTimeout as delay } from 'node:timers/promises';
import { ConfigError } from '../config-error';
import { KEY_BYTES } from '../crypto/envelope';
import { MasterKey } from '../crypto/master-key';
import { parseMasterKeySpec } from '../crypto/master-key-spec';
import type { KmsProvider, MasterKeySpec } from '../crypto/master-key-spec';
import type { Logger } from '../logger';
import { KmsError } from './kms';
import type { KeyManagementService } from './kms';
import { createKms } from './settings';
import type { KmsSettings } from './settings';

const FIRST_PAUSE_MS = 1000;
const MAX_PAUSE_MS = 30_000;

export interface OpeningOptions {
  logger: Pick<Logger, 'warn' | 'info'>;
  /** Called once, when a service does not decrypt a key at the first attempt. */
  onUnavailable?: () => Promise<void>;
  /** Creates the client of a service. */
  create?: (provider: KmsProvider) => KeyManagementService;
  /** Waits between two attempts. */
  pause?: (milliseconds: number) => Promise<unknown>;
}

/** Decrypts one key, and repeats it until the service responds. @throws ConfigError if it can never succeed */
async function decryptKey(
  kms: KeyManagementService,
  { id, ciphertext }: { id: string; ciphertext: string },
  { logger, onUnavailable, pause = delay }: OpeningOptions,
): Promise<Buffer> {
  for (let pauseMs = FIRST_PAUSE_MS, attempt = 1; ; pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS), attempt += 1) {
    try {
      const key = await kms.decrypt(ciphertext, id);
      if (key.length !== KEY_BYTES)
        throw new ConfigError(`MASTER_KEY: ${kms.name} decrypted the key ${id} to ${key.length} bytes instead of 32.`);
      if (attempt > 1) logger.info({ keyId: id, attempt }, 'The master key was decrypted');
      return key;
    } catch (error) {
      if (!(error instanceof KmsError)) throw error;
      if (error.isPermanent) throw new ConfigError(`MASTER_KEY: the key ${id} was not decrypted. ${error.message}`);
      logger.warn(
        { keyId: id, service: kms.name, attempt, retryInSeconds: pauseMs / 1000, reason: error.message },
        'The master key cannot be decrypted yet; the service answers 503 until it is',
      );
      if (attempt === 1) await onUnavailable?.();
      await pause(pauseMs);
    }
  }
}

/**
 * The master key of a process. Keys that a key management service encrypts are decrypted once, here; from then on the
 * process does not need the service.
 * @throws ConfigError for a malformed key, a missing setting, or a key that the service refuses for good
 */
export async function openMasterKey(
  config: KmsSettings & { readonly masterKeys: string },
  options: OpeningOptions,
): Promise<MasterKey> {
  const { create = (provider) => createKms(provider, config) } = options;
  const services = new Map<KmsProvider, KeyManagementService>();
  const getService = (provider: KmsProvider): KeyManagementService => {
    const service = services.get(provider) ?? create(provider);
    services.set(provider, service);
    return service;
  };
  const open = async (spec: MasterKeySpec) => ({
    id: spec.id,
    key: spec.key ?? (await decryptKey(getService(spec.provider), spec, options)),
  });
  const specs = parseMasterKeySpec(config.masterKeys);
  // One after the other: a service that does not respond is reported once.
  const entries = [];
  for (const spec of specs) entries.push(await open(spec));
  return new MasterKey(entries);
}
