import { randomBytes } from 'node:crypto';
import { formatMasterKeySpec, parseMasterKeySpec } from '../../../../lib/crypto/master-key-spec';
import { KmsError } from '../../../../lib/kms/kms';
import type { KeyManagementService } from '../../../../lib/kms/kms';
import { openMasterKey } from '../../../../lib/kms/open-master-key';

const key = randomBytes(32);
const settings = {
  GCP_KMS_ENDPOINT: 'https://kms.invalid',
  VAULT_TRANSIT_MOUNT: 'transit',
  VAULT_TRANSIT_KEY: 'vouch',
};

/** A service that answers with these results, one after the other. */
function createService(results: (Buffer | KmsError)[]): KeyManagementService {
  return {
    name: 'Test KMS',
    encrypt: () => Promise.reject(new Error('not used')),
    decrypt: () => {
      const result = results.shift() ?? new KmsError('There is no further result.', true);
      return result instanceof KmsError ? Promise.reject(result) : Promise.resolve(result);
    },
  };
}

interface Opening {
  pauses: number[];
  warnings: string[];
  unavailable: number;
}

async function open(masterKeys: string, results: (Buffer | KmsError)[]) {
  const opening: Opening = { pauses: [], warnings: [], unavailable: 0 };
  const masterKey = await openMasterKey(
    { ...settings, masterKeys },
    {
      logger: { warn: (_fields: unknown, text?: string) => opening.warnings.push(text ?? ''), info: () => undefined },
      create: () => createService(results),
      pause: (milliseconds) => Promise.resolve(opening.pauses.push(milliseconds)),
      onUnavailable: () => {
        opening.unavailable += 1;
        return Promise.resolve();
      },
    },
  );
  return { masterKey, opening };
}

const outage = () => new KmsError('Test KMS does not respond.', false);

describe('opening the master key', () => {
  test('a key of a service is decrypted, next to one that is not encrypted', async () => {
    const plain = `k1:${randomBytes(32).toString('base64')}`;
    const { masterKey, opening } = await open(`k2:vault:vault:v1:AAAA,${plain}`, [key]);
    expect(masterKey.keyIds).toEqual(['k2', 'k1']);
    expect(masterKey.open(masterKey.seal('secret', 'aad'), 'aad').toString()).toBe('secret');
    expect(opening).toEqual({ pauses: [], warnings: [], unavailable: 0 });
  });

  test('an outage is waited for with growing pauses and a log line each', async () => {
    const outages = Array.from({ length: 7 }, outage);
    const { masterKey, opening } = await open('k2:awskms:AAAA', [...outages, key]);
    expect(masterKey.currentKeyId).toBe('k2');
    expect(opening.pauses).toEqual([1000, 2000, 4000, 8000, 16_000, 30_000, 30_000]);
    expect(opening.warnings).toHaveLength(7);
    expect(opening.unavailable).toBe(1);
  });

  test.each([
    ['a key that the service refuses for good', new KmsError('Test KMS: InvalidCiphertext', true)],
    ['a key of another length', Buffer.alloc(16)],
  ])('%s stops the start with a message', async (_name, result) => {
    await expect(open('k2:awskms:AAAA', [result])).rejects.toThrow(/^MASTER_KEY: .*Test KMS/);
  });

  test.each([
    ['awskms', 'AWS_KMS_KEY_ID'],
    ['gcpkms', 'GCP_KMS_KEY'],
    ['vault', 'VAULT_ADDR'],
  ])('a key of %s without %s stops the start', async (provider, setting) => {
    const options = { logger: { warn: () => undefined, info: () => undefined } };
    const opening = openMasterKey({ ...settings, masterKeys: `k1:${provider}:AAAA` }, options);
    await expect(opening).rejects.toThrow(`${setting}: missing`);
  });
});

describe('MASTER_KEY', () => {
  test('entries are formatted as they are parsed', () => {
    const text = `k2:vault:vault:v1:AAAA+/=,k1:${key.toString('base64')}`;
    expect(parseMasterKeySpec(text).map(formatMasterKeySpec).join(',')).toBe(text);
  });

  test.each(['', 'k1', 'k1:', 'k1:short', ':AAAA', 'k1:otherkms:AAAA', 'k1:awskms:', 'k 1:awskms:AAAA'])(
    '%p is rejected',
    (text) => {
      expect(() => parseMasterKeySpec(text)).toThrow('MASTER_KEY: accepts');
    },
  );

  test('two keys with one id are rejected', () => {
    expect(() => parseMasterKeySpec('k1:vault:AAAA,k1:vault:BBBB')).toThrow('the key id k1 is used twice');
  });
});
