import { readFileSync } from 'node:fs';
import { Agent } from 'undici';
import { z } from 'zod';
import { ConfigError } from '../config-error';
import { postJson } from './json-request';
import { buildKeyContext } from './kms';
import type { KeyManagementService } from './kms';

export interface VaultSettings {
  /** Address of the server, such as https://vault.example.com:8200. */
  address: string;
  namespace: string | undefined;
  /** Mount path of the transit engine. */
  mount: string;
  /** Name of the key; of a type with authenticated data, such as aes256-gcm96. */
  key: string;
  /** How the process authenticates. */
  authentication: { token: string } | { roleId: string; secretId: string };
  /** File with the certificate authority of the server. */
  caFile: string | undefined;
}

const SERVICE = 'Vault';

function createAgent(caFile: string | undefined): Agent | undefined {
  if (caFile === undefined) return undefined;
  try {
    return new Agent({ connect: { ca: readFileSync(caFile, 'utf8') } });
  } catch {
    throw new ConfigError('VAULT_CACERT: cannot be read; accepts the path of a PEM file.');
  }
}

/** The transit engine of HashiCorp Vault (or OpenBao), with a token or an AppRole. */
export function createVaultTransit(settings: VaultSettings): KeyManagementService {
  const { address, namespace, mount, key: transitKey, authentication } = settings;
  const dispatcher = createAgent(settings.caFile);
  const headers = {
    'x-vault-request': 'true',
    ...(namespace === undefined ? {} : { 'x-vault-namespace': namespace }),
  };
  const buildUrl = (path: string): string => `${address}/v1/${path}`;
  const logIn = async (): Promise<string> => {
    if ('token' in authentication) return authentication.token;
    const body = { role_id: authentication.roleId, secret_id: authentication.secretId };
    const schema = z.object({ auth: z.object({ client_token: z.string() }) });
    const url = buildUrl('auth/approle/login');
    return (await postJson({ service: SERVICE, url, headers, body, dispatcher }, schema)).auth.client_token;
  };
  const post = async <T>(method: 'encrypt' | 'decrypt', keyId: string, body: object, schema: z.ZodType<T>) =>
    postJson(
      {
        service: SERVICE,
        url: buildUrl(`${mount}/${method}/${transitKey}`),
        headers: { ...headers, 'x-vault-token': await logIn() },
        body: { ...body, associated_data: Buffer.from(buildKeyContext(keyId)).toString('base64') },
        dispatcher,
      },
      z.object({ data: schema }),
    );
  return {
    name: SERVICE,
    async encrypt(key, keyId) {
      const body = { plaintext: key.toString('base64') };
      return (await post('encrypt', keyId, body, z.object({ ciphertext: z.string() }))).data.ciphertext;
    },
    async decrypt(ciphertext, keyId) {
      const { data } = await post('decrypt', keyId, { ciphertext }, z.object({ plaintext: z.base64() }));
      return Buffer.from(data.plaintext, 'base64');
    },
  };
}
