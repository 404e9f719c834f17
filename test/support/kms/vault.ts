import { z } from 'zod';
import { ServiceKey, startJsonServer } from './json-server';
import type { JsonReply, JsonServer } from './json-server';

export const VAULT_TOKEN = 'hvs.a-token-of-the-test';
export const VAULT_ROLE = { roleId: 'role-of-the-test', secretId: 'secret-of-the-test' };
const bodySchema = z.object({
  plaintext: z.base64().optional(),
  ciphertext: z.string().optional(),
  associated_data: z.base64(),
});
const loginSchema = z.object({ role_id: z.string(), secret_id: z.string() });

const refuse = (status: number, message: string): JsonReply => ({ status, body: { errors: [message] } });

/** The transit engine of Vault, with a token or an AppRole. */
export function startVault(mount: string, key: string): Promise<JsonServer> {
  const serviceKey = new ServiceKey();
  return startJsonServer(({ path, headers, text }) => {
    const json: unknown = JSON.parse(text);
    if (headers['x-vault-request'] !== 'true') return refuse(412, 'required X-Vault-Request header is missing');
    if (path === '/v1/auth/approle/login') {
      const { role_id: roleId, secret_id: secretId } = loginSchema.parse(json);
      if (roleId !== VAULT_ROLE.roleId || secretId !== VAULT_ROLE.secretId)
        return refuse(400, 'invalid role or secret ID');
      return { status: 200, body: { auth: { client_token: VAULT_TOKEN, lease_duration: 60 } } };
    }
    if (headers['x-vault-token'] !== VAULT_TOKEN) return refuse(403, 'permission denied');
    const body = bodySchema.parse(json);
    const context = body.associated_data;
    if (path === `/v1/${mount}/encrypt/${key}`) {
      const sealed = serviceKey.encrypt(Buffer.from(body.plaintext ?? '', 'base64'), context);
      return { status: 200, body: { data: { ciphertext: `vault:v1:${sealed.toString('base64')}`, key_version: 1 } } };
    }
    if (path !== `/v1/${mount}/decrypt/${key}`) return refuse(404, 'no handler for route');
    const sealed = Buffer.from(body.ciphertext?.replace(/^vault:v1:/, '') ?? '', 'base64');
    const plaintext = serviceKey.decrypt(sealed, context);
    if (plaintext === null) return refuse(400, 'cipher: message authentication failed');
    return { status: 200, body: { data: { plaintext: plaintext.toString('base64') } } };
  });
}
