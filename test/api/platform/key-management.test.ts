import { readFileSync } from 'node:fs';
import { loadConfig } from '../../../lib/config';
import { parseMasterKeySpec } from '../../../lib/crypto/master-key-spec';
import { openMasterKey } from '../../../lib/kms/open-master-key';
import { createKms } from '../../../lib/kms/settings';
import { createFacelessImage, parseCheck, postLiveness } from '../../support/identity/identity';
import { call } from '../../support/client';
import { runAdminCommand } from '../../support/commands';
import type { JsonServer } from '../../support/kms/json-server';
import { startVault, VAULT_TOKEN } from '../../support/kms/vault';
import { awaitFailedCheck, findFreePort, startApi } from '../../support/processes';
import type { ReplicaProcess } from '../../support/processes';
import { closeTestPlatform, createTenant, getStartedWorkflow } from '../../support/tenant';
import type { Tenant } from '../../support/tenant';

let vault: JsonServer;
let tenant: Tenant;
let api: ReplicaProcess | undefined;

beforeAll(async () => {
  vault = await startVault('transit', 'vouch');
  tenant = await createTenant('Key management');
});
afterAll(async () => {
  await api?.stop();
  await vault.close();
  await closeTestPlatform();
});

const getVaultVariables = () => ({ VAULT_ADDR: vault.url, VAULT_TOKEN });

/** The master key of the stack, encrypted by the local Vault. */
async function encryptStackKey(): Promise<string> {
  const [spec] = parseMasterKeySpec(loadConfig().masterKeys);
  if (spec.key === undefined) throw new Error('The key of the stack is encrypted.');
  const kms = createKms('vault', loadConfig({ ...process.env, ...getVaultVariables() }));
  return `${spec.id}:vault:${await kms.encrypt(spec.key, spec.id)}`;
}

const unavailable = { status: 503, body: { errors: ['Vault is sealed'] } };

describe('an API whose master key is encrypted by a key management service', () => {
  test('answers 503 until the service responds, then serves with the decrypted key', async () => {
    const masterKey = await encryptStackKey();
    vault.failures.push(...Array.from({ length: 100 }, () => unavailable));
    const port = findFreePort();
    const variables = { MASTER_KEY: masterKey, MASTER_KEY_FILE: '', PORT: String(port) };
    const starting = startApi({ ...variables, ...getVaultVariables(), TEMPORAL_PAYLOAD_ENCRYPTION: 'true' });
    const url = `http://127.0.0.1:${port}`;
    await awaitFailedCheck('masterKey', port, starting);
    expect((await fetch(`${url}/healthz`)).status).toBe(200);
    const refused = await call('GET', '/v1/sessions', { key: tenant.identityKey, api: url });
    expect([refused.status, refused.body]).toMatchObject([503, { error: { code: 'unavailable' } }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    vault.failures.length = 0;
    api = await starting;
    expect((await call('GET', '/v1/sessions', { key: tenant.identityKey, api: url })).status).toBe(200);
  });

  test('starts workflows whose payloads are encrypted, and which workers without encryption go on with', async () => {
    const image = { body: await createFacelessImage() };
    const response = await postLiveness(tenant.identityKey, { image }, { api: api?.url ?? '' });
    const { id, status } = parseCheck(response);
    expect(status).toBe('completed');
    const { events } = await (await getStartedWorkflow(id)).fetchHistory();
    const { input } = events?.[0]?.workflowExecutionStartedEventAttributes ?? {};
    const [payload] = input?.payloads ?? [];
    expect(Buffer.from(payload?.metadata?.['encoding'] ?? []).toString()).toBe('binary/encrypted');
    expect(Buffer.from(payload?.data ?? []).toString()).not.toContain(id);
  });
});

test('create-master-key prints an entry that only the key management service can decrypt', async () => {
  const args = ['create-master-key', '--id', 'k9', '--provider', 'vault'];
  const { code, report } = await runAdminCommand(args, { env: getVaultVariables() });
  expect([code, report]).toMatchObject([0, { keyId: 'k9', provider: 'vault' }]);
  const config = { ...loadConfig({ ...process.env, ...getVaultVariables() }), masterKeys: String(report['entry']) };
  const masterKey = await openMasterKey(config, { logger: { warn: () => undefined, info: () => undefined } });
  expect(masterKey.currentKeyId).toBe('k9');
  expect(readFileSync(process.env['MASTER_KEY_FILE'] ?? '', 'utf8')).not.toContain(String(report['entry']));
  const refused = await runAdminCommand(['create-master-key', '--id', 'k9', '--provider', 'awskms']);
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining('AWS_KMS_KEY_ID: missing')]);
});
