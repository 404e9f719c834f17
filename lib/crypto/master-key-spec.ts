import { ConfigError } from '../config-error';
import { KEY_BYTES } from './envelope';

/** Key management services that can encrypt a master key, by the name in MASTER_KEY. */
export const KMS_PROVIDERS = ['awskms', 'gcpkms', 'vault'] as const;
export type KmsProvider = (typeof KMS_PROVIDERS)[number];

/** A configured master key: itself, or encrypted by a key management service. */
export type MasterKeySpec =
  | { id: string; key: Buffer; provider?: undefined }
  | { id: string; key?: undefined; provider: KmsProvider; ciphertext: string };

const PROBLEM = `MASTER_KEY: accepts <key id>:<32 bytes in base64> or <key id>:<${KMS_PROVIDERS.join('|')}>:<encrypted key>, separated by commas.`;

/** Ids are part of codes and of additional authenticated data, so they have no separators. */
const KEY_ID_PATTERN = /^[A-Za-z0-9._-]{1,64}$/;

/** Whether a text can be the id of a master key. */
export const isMasterKeyId = (id: string): boolean => KEY_ID_PATTERN.test(id);

function parseEntry(text: string): MasterKeySpec {
  const [id = '', second = '', ...rest] = text.split(':');
  if (!isMasterKeyId(id)) throw new ConfigError(PROBLEM);
  if (rest.length === 0) {
    const key = Buffer.from(second, 'base64');
    if (key.length !== KEY_BYTES) throw new ConfigError(PROBLEM);
    return { id, key };
  }
  const provider = KMS_PROVIDERS.find((name) => name === second);
  const ciphertext = rest.join(':');
  if (provider === undefined || ciphertext === '') throw new ConfigError(PROBLEM);
  return { id, provider, ciphertext };
}

/**
 * Parses the value of MASTER_KEY; the first key is the current one.
 * @throws ConfigError
 */
export function parseMasterKeySpec(text: string): [MasterKeySpec, ...MasterKeySpec[]] {
  const [first, ...others] = text
    .split(/[,\r\n]+/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map(parseEntry);
  if (first === undefined) throw new ConfigError(PROBLEM);
  const ids = [first, ...others].map(({ id }) => id);
  const repeated = ids.find((id, index) => ids.indexOf(id) !== index);
  if (repeated !== undefined) throw new ConfigError(`MASTER_KEY: the key id ${repeated} is used twice.`);
  return [first, ...others];
}

/** Formats an entry of MASTER_KEY. */
export const formatMasterKeySpec = (spec: MasterKeySpec): string =>
  spec.key === undefined
    ? `${spec.id}:${spec.provider}:${spec.ciphertext}`
    : `${spec.id}:${spec.key.toString('base64')}`;
