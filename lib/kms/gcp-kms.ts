import type { GoogleAuth, GoogleAuthOptions } from 'google-auth-library';
import { z } from 'zod';
import { postJson } from './json-request';
import { buildKeyContext, KmsError } from './kms';
import type { KeyManagementService } from './kms';

export interface GcpKmsSettings {
  /** `projects/…/locations/…/keyRings/…/cryptoKeys/…` */
  key: string;
  endpoint: string;
  /** Options of the clients that obtain access tokens. */
  authentication?: NonNullable<GoogleAuthOptions['clientOptions']>;
}

const SCOPE = 'https://www.googleapis.com/auth/cloudkms';
const SERVICE = 'Google Cloud KMS';

/**
 * Google Cloud KMS over REST. Credentials are the application default credentials: the file that
 * GOOGLE_APPLICATION_CREDENTIALS names (service account, workload identity), else the metadata server.
 */
export function createGcpKms({ key: kmsKey, endpoint, authentication }: GcpKmsSettings): KeyManagementService {
  let auth: GoogleAuth | undefined;
  const getHeaders = async (): Promise<Record<string, string>> => {
    // Loaded on first use, because only processes with such a key need it.
    const library = await import('google-auth-library');
    auth ??= new library.GoogleAuth({
      scopes: [SCOPE],
      ...(authentication === undefined ? {} : { clientOptions: authentication }),
    });
    try {
      return Object.fromEntries(await auth.getRequestHeaders());
    } catch (error) {
      throw new KmsError(`${SERVICE}: no access token could be obtained (${String(error)}).`, false, { cause: error });
    }
  };
  const post = async <T>(method: 'encrypt' | 'decrypt', keyId: string, body: object, schema: z.ZodType<T>) =>
    postJson(
      {
        service: SERVICE,
        url: `${endpoint}/v1/${kmsKey}:${method}`,
        headers: await getHeaders(),
        body: { ...body, additionalAuthenticatedData: Buffer.from(buildKeyContext(keyId)).toString('base64') },
      },
      schema,
    );
  return {
    name: SERVICE,
    async encrypt(key, keyId) {
      const body = { plaintext: key.toString('base64') };
      return (await post('encrypt', keyId, body, z.object({ ciphertext: z.base64() }))).ciphertext;
    },
    async decrypt(ciphertext, keyId) {
      const { plaintext } = await post('decrypt', keyId, { ciphertext }, z.object({ plaintext: z.base64() }));
      return Buffer.from(plaintext, 'base64');
    },
  };
}
