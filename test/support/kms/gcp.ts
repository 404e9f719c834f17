import type { KeyObject } from 'node:crypto';
import jwt from 'jsonwebtoken';
import { z } from 'zod';
import { ServiceKey, startJsonServer } from './json-server';
import type { JsonReply, JsonServer } from './json-server';

const ACCESS_TOKEN = 'an-access-token-of-the-test';
const bodySchema = z.object({
  plaintext: z.base64().optional(),
  ciphertext: z.base64().optional(),
  additionalAuthenticatedData: z.base64(),
});

const refuse = (status: number, message: string): JsonReply => ({ status, body: { error: { code: status, message } } });

/** Answers the token endpoint of OAuth 2.0: the JWT bearer flow of a service account (RFC 7523). */
function answerToken(text: string, clientEmail: string, publicKey: KeyObject): JsonReply {
  const form = new URLSearchParams(text);
  try {
    if (form.get('grant_type') !== 'urn:ietf:params:oauth:grant-type:jwt-bearer') throw new Error('grant type');
    const claims = jwt.verify(form.get('assertion') ?? '', publicKey, {
      algorithms: ['RS256'],
      issuer: clientEmail,
      audience: 'https://oauth2.googleapis.com/token',
    });
    if (typeof claims === 'string' || claims['scope'] !== 'https://www.googleapis.com/auth/cloudkms')
      throw new Error('scope');
    return { status: 200, body: { access_token: ACCESS_TOKEN, token_type: 'Bearer', expires_in: 3600 } };
  } catch (error) {
    return { status: 400, body: { error: 'invalid_grant', error_description: String(error) } };
  }
}

/** Google Cloud KMS over REST and the token endpoint, on one server. */
export function startGcpKms(key: string, clientEmail: string, publicKey: KeyObject): Promise<JsonServer> {
  const serviceKey = new ServiceKey();
  return startJsonServer(({ path, headers, text }) => {
    if (path === '/token') return answerToken(text, clientEmail, publicKey);
    if (headers.authorization !== `Bearer ${ACCESS_TOKEN}`) return refuse(401, 'UNAUTHENTICATED');
    const body = bodySchema.parse(JSON.parse(text));
    const context = body.additionalAuthenticatedData;
    if (path === `/v1/${key}:encrypt`) {
      const sealed = serviceKey.encrypt(Buffer.from(body.plaintext ?? '', 'base64'), context);
      return { status: 200, body: { name: `${key}/cryptoKeyVersions/1`, ciphertext: sealed.toString('base64') } };
    }
    if (path !== `/v1/${key}:decrypt`) return refuse(404, 'NOT_FOUND');
    const plaintext = serviceKey.decrypt(Buffer.from(body.ciphertext ?? '', 'base64'), context);
    if (plaintext === null) return refuse(400, 'Decryption failed');
    return { status: 200, body: { plaintext: plaintext.toString('base64') } };
  });
}
