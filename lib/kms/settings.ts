import { ConfigError } from '../config-error';
import type { KmsProvider } from '../crypto/master-key-spec';
import { createAwsKms } from './aws-kms';
import { createGcpKms } from './gcp-kms';
import type { KeyManagementService } from './kms';
import { createVaultTransit } from './vault-transit';
import type { VaultSettings } from './vault-transit';

/** The settings of key management services; each is needed only where MASTER_KEY names the service. */
export interface KmsSettings {
  readonly AWS_KMS_KEY_ID?: string | undefined;
  readonly AWS_KMS_REGION?: string | undefined;
  readonly AWS_KMS_ENDPOINT?: string | undefined;
  readonly GCP_KMS_KEY?: string | undefined;
  readonly GCP_KMS_ENDPOINT: string;
  readonly VAULT_ADDR?: string | undefined;
  readonly VAULT_CACERT?: string | undefined;
  readonly VAULT_NAMESPACE?: string | undefined;
  readonly VAULT_TRANSIT_MOUNT: string;
  readonly VAULT_TRANSIT_KEY: string;
  readonly VAULT_ROLE_ID?: string | undefined;
  readonly vaultToken?: string | undefined;
  readonly vaultSecretId?: string | undefined;
}

function requireSetting(name: string, value: string | undefined, provider: KmsProvider): string {
  if (value === undefined) throw new ConfigError(`${name}: missing; a key in MASTER_KEY is encrypted by ${provider}.`);
  return value;
}

function readVaultAuthentication({
  vaultToken,
  vaultSecretId,
  VAULT_ROLE_ID,
}: KmsSettings): VaultSettings['authentication'] {
  if (vaultToken !== undefined) return { token: vaultToken };
  if (VAULT_ROLE_ID !== undefined && vaultSecretId !== undefined)
    return { roleId: VAULT_ROLE_ID, secretId: vaultSecretId };
  throw new ConfigError('VAULT_TOKEN, or VAULT_ROLE_ID and VAULT_SECRET_ID: one is required for keys of vault.');
}

/**
 * The client of a key management service.
 * @throws ConfigError with the setting that is missing
 */
export function createKms(provider: KmsProvider, settings: KmsSettings): KeyManagementService {
  switch (provider) {
    case 'awskms':
      return createAwsKms({
        keyId: requireSetting('AWS_KMS_KEY_ID', settings.AWS_KMS_KEY_ID, provider),
        region: settings.AWS_KMS_REGION,
        endpoint: settings.AWS_KMS_ENDPOINT,
      });
    case 'gcpkms':
      return createGcpKms({
        key: requireSetting('GCP_KMS_KEY', settings.GCP_KMS_KEY, provider),
        endpoint: settings.GCP_KMS_ENDPOINT,
      });
    case 'vault':
      return createVaultTransit({
        address: requireSetting('VAULT_ADDR', settings.VAULT_ADDR, provider),
        namespace: settings.VAULT_NAMESPACE,
        mount: settings.VAULT_TRANSIT_MOUNT,
        key: settings.VAULT_TRANSIT_KEY,
        authentication: readVaultAuthentication(settings),
        caFile: settings.VAULT_CACERT,
      });
  }
}
