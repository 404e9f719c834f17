import { buildKeyContext, KMS_TIMEOUT_MS, KmsError } from './kms';
import type { KeyManagementService } from './kms';

export interface AwsKmsSettings {
  /** ARN, id or alias of the KMS key. */
  keyId: string;
  /** Default: the region of the standard sources (AWS_REGION, profile). */
  region: string | undefined;
  /** Address of a private endpoint. */
  endpoint: string | undefined;
}

/** Refusals that the same request gets again. Others, such as a missing permission, may be remedied meanwhile. */
const PERMANENT_ERRORS = new Set([
  'InvalidCiphertextException',
  'IncorrectKeyException',
  'InvalidKeyUsageException',
  'NotFoundException',
  'ValidationException',
]);

function toKmsError(error: unknown): KmsError {
  const reason = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  const isPermanent = error instanceof Error && PERMANENT_ERRORS.has(error.name);
  return new KmsError(`AWS KMS: ${reason}`, isPermanent, { cause: error });
}

/** Loaded on first use: it takes a third of a second and 15 MB, which processes with another key do not need. */
async function createClient({ region, endpoint }: AwsKmsSettings) {
  const { DecryptCommand, EncryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 1,
    requestHandler: { requestTimeout: KMS_TIMEOUT_MS, connectionTimeout: KMS_TIMEOUT_MS },
  });
  return { client, DecryptCommand, EncryptCommand };
}

/** AWS KMS. Credentials come from the standard sources: environment, files, container or instance role. */
export function createAwsKms(settings: AwsKmsSettings): KeyManagementService {
  let loaded: ReturnType<typeof createClient> | undefined;
  const load = () => (loaded ??= createClient(settings));
  const buildRequest = (keyId: string) => ({
    KeyId: settings.keyId,
    EncryptionContext: { purpose: buildKeyContext(keyId) },
  });
  return {
    name: 'AWS KMS',
    async encrypt(key, keyId) {
      const { client, EncryptCommand } = await load();
      try {
        const { CiphertextBlob } = await client.send(new EncryptCommand({ ...buildRequest(keyId), Plaintext: key }));
        return Buffer.from(CiphertextBlob ?? []).toString('base64');
      } catch (error) {
        throw toKmsError(error);
      }
    },
    async decrypt(ciphertext, keyId) {
      const { client, DecryptCommand } = await load();
      try {
        const request = { ...buildRequest(keyId), CiphertextBlob: Buffer.from(ciphertext, 'base64') };
        const { Plaintext } = await client.send(new DecryptCommand(request));
        return Buffer.from(Plaintext ?? []);
      } catch (error) {
        throw toKmsError(error);
      }
    },
  };
}
