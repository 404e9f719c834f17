import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { writeFileSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { createAwsKms } from '../../../../lib/kms/aws-kms';
import { createGcpKms } from '../../../../lib/kms/gcp-kms';
import type { KeyManagementService } from '../../../../lib/kms/kms';
import { createVaultTransit } from '../../../../lib/kms/vault-transit';
import { fail as failAws, startAwsKms } from '../../../support/kms/aws';
import { startGcpKms } from '../../../support/kms/gcp';
import type { JsonReply, JsonServer } from '../../../support/kms/json-server';
import { startVault, VAULT_ROLE, VAULT_TOKEN } from '../../../support/kms/vault';

const AWS_KEY = 'arn:aws:kms:eu-central-1:111122223333:key/1234abcd';
const AWS_CREDENTIALS = { accessKeyId: 'AKIDTEST', secretAccessKey: 'a secret access key of the test' };
const GCP_KEY = 'projects/p/locations/global/keyRings/r/cryptoKeys/k';
const CLIENT_EMAIL = 'vouch@p.iam.gserviceaccount.com';

const folder = mkdtempSync(path.join(os.tmpdir(), 'vouch-kms-'));
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
const servers: Record<'aws' | 'gcp' | 'vault', JsonServer | undefined> = {
  aws: undefined,
  gcp: undefined,
  vault: undefined,
};
const getServer = (name: keyof typeof servers): JsonServer => {
  const server = servers[name];
  if (server === undefined) throw new Error(`${name} is not running.`);
  return server;
};

beforeAll(async () => {
  servers.aws = await startAwsKms(AWS_KEY, AWS_CREDENTIALS);
  servers.gcp = await startGcpKms(GCP_KEY, CLIENT_EMAIL, publicKey);
  servers.vault = await startVault('transit', 'vouch');
  const credentials = {
    type: 'service_account',
    project_id: 'p',
    client_email: CLIENT_EMAIL,
    private_key: privateKey.export({ format: 'pem', type: 'pkcs8' }),
  };
  writeFileSync(path.join(folder, 'credentials.json'), JSON.stringify(credentials));
});
beforeEach(() => {
  process.env['AWS_ACCESS_KEY_ID'] = AWS_CREDENTIALS.accessKeyId;
  process.env['AWS_SECRET_ACCESS_KEY'] = AWS_CREDENTIALS.secretAccessKey;
  process.env['GOOGLE_APPLICATION_CREDENTIALS'] = path.join(folder, 'credentials.json');
});
afterAll(async () => {
  for (const server of Object.values(servers)) await server?.close();
  rmSync(folder, { recursive: true });
});

const createAws = (): KeyManagementService =>
  createAwsKms({ keyId: AWS_KEY, region: 'eu-central-1', endpoint: getServer('aws').url });

/** The address of the token endpoint is fixed in the library; its requests go to the local server. */
const createGcp = (): KeyManagementService =>
  createGcpKms({
    key: GCP_KEY,
    endpoint: getServer('gcp').url,
    authentication: {
      transporterOptions: {
        fetchImplementation: (input, init) => {
          const url = input instanceof Request ? input.url : input.toString();
          return fetch(url.replace('https://oauth2.googleapis.com', getServer('gcp').url), init);
        },
      },
    },
  });

const createVault = (authentication: { token: string } | typeof VAULT_ROLE = { token: VAULT_TOKEN }) =>
  createVaultTransit({
    address: getServer('vault').url,
    namespace: undefined,
    mount: 'transit',
    key: 'vouch',
    authentication,
    caFile: undefined,
  });

const busy = (status: number): JsonReply => ({
  status,
  body: { error: { message: 'try later' }, errors: ['try later'] },
});

describe.each([
  ['AWS KMS with a signed request', 'aws', createAws, failAws(400, 'ThrottlingException')],
  ['Google Cloud KMS with a service account', 'gcp', createGcp, busy(503)],
  ['Vault with a token', 'vault', () => createVault(), busy(503)],
  ['Vault with an AppRole', 'vault', () => createVault(VAULT_ROLE), busy(503)],
] as const)('%s', (_name, server, create, temporary) => {
  const key = randomBytes(32);

  test('encrypts a master key and decrypts it again', async () => {
    const kms = create();
    const ciphertext = await kms.encrypt(key, 'k1');
    expect(ciphertext).toMatch(/^[A-Za-z0-9+/=:]+$/);
    expect(ciphertext).not.toContain(key.toString('base64'));
    expect((await kms.decrypt(ciphertext, 'k1')).equals(key)).toBe(true);
  });

  test('refuses a ciphertext under another key id for good', async () => {
    const kms = create();
    const ciphertext = await kms.encrypt(key, 'k1');
    await expect(kms.decrypt(ciphertext, 'k2')).rejects.toMatchObject({ isPermanent: true });
  });

  test('a temporary failure is reported as such', async () => {
    const kms = create();
    const ciphertext = await kms.encrypt(key, 'k1');
    getServer(server).failures.push(temporary);
    await expect(kms.decrypt(ciphertext, 'k1')).rejects.toMatchObject({ isPermanent: false });
    expect((await kms.decrypt(ciphertext, 'k1')).equals(key)).toBe(true);
  });
});

describe('wrong credentials may be remedied without a new start, so the request is repeated', () => {
  const ciphertext = Buffer.alloc(60).toString('base64');

  test('AWS KMS', async () => {
    process.env['AWS_SECRET_ACCESS_KEY'] = 'another secret';
    await expect(createAws().decrypt(ciphertext, 'k1')).rejects.toMatchObject({ isPermanent: false });
  });

  test('Google Cloud KMS', async () => {
    process.env['GOOGLE_APPLICATION_CREDENTIALS'] = path.join(folder, 'missing.json');
    await expect(createGcp().decrypt(ciphertext, 'k1')).rejects.toMatchObject({ isPermanent: false });
  });

  test('Vault', async () => {
    await expect(createVault({ token: 'wrong' }).decrypt('vault:v1:', 'k1')).rejects.toMatchObject({
      isPermanent: false,
      message: 'Vault answered 403: {"errors":["permission denied"]}',
    });
  });

  test('a service that does not respond', async () => {
    const kms = createVaultTransit({
      address: 'http://127.0.0.1:1',
      namespace: undefined,
      mount: 'transit',
      key: 'vouch',
      authentication: { token: VAULT_TOKEN },
      caFile: undefined,
    });
    await expect(kms.decrypt('vault:v1:', 'k1')).rejects.toMatchObject({
      isPermanent: false,
      message: expect.stringMatching(/^Vault does not respond/) as string,
    });
  });
});
