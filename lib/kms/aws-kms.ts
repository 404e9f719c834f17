import { DecryptCommand, EncryptCommand, KMSClient, KMSServiceException } from '@aws-sdk/client-kms';
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
  const isPermanent = error instanceof KMSServiceException && PERMANENT_ERRORS.has(error.name);
  return new KmsError(`AWS KMS: ${reason}`, isPermanent, { cause: error });
}

/** AWS KMS. Credentials come from the standard sources: environment, files, container or instance role. */
export function createAwsKms({ keyId: kmsKeyId, region, endpoint }: AwsKmsSettings): KeyManagementService {
  const client = new KMSClient({
    ...(region === undefined ? {} : { region }),
    ...(endpoint === undefined ? {} : { endpoint }),
    maxAttempts: 1,
    requestHandler: { requestTimeout: KMS_TIMEOUT_MS, connectionTimeout: KMS_TIMEOUT_MS },
  });
  const buildRequest = (keyId: string) => ({
    KeyId: kmsKeyId,
    EncryptionContext: { purpose: buildKeyContext(keyId) },
  });
  return {
    name: 'AWS KMS',
    async encrypt(key, keyId) {
      try {
        const { CiphertextBlob } = await client.send(new EncryptCommand({ ...buildRequest(keyId), Plaintext: key }));
        return Buffer.from(CiphertextBlob ?? []).toString('base64');
      } catch (error) {
        throw toKmsError(error);
      }
    },
    async decrypt(ciphertext, keyId) {
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
