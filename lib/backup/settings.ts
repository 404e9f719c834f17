import { configurationSchema, loadKmsSettings, parseVariables } from '../config';
import type { Config } from '../config';
import type { KmsSettings } from '../kms/settings';
import type { S3Settings } from '../object-store';
import { readSecretFiles } from '../secret-settings';

const backupSchema = configurationSchema
  .pick({
    BACKUP_TARGET: true,
    BACKUP_KEY_FILE: true,
    BACKUP_S3_ENDPOINT: true,
    BACKUP_S3_REGION: true,
    BACKUP_S3_ACCESS_KEY_FILE: true,
    BACKUP_S3_SECRET_KEY_FILE: true,
    S3_ENDPOINT: true,
    S3_REGION: true,
    S3_ACCESS_KEY: true,
    S3_SECRET_KEY: true,
    MASTER_KEY: true,
  })
  .partial({ S3_ENDPOINT: true, S3_ACCESS_KEY: true, S3_SECRET_KEY: true });

/** What says where backups are. The S3 server is needed only for a target on S3. */
export type BackupSettings = Pick<
  Config,
  | 'BACKUP_TARGET'
  | 'BACKUP_KEY_FILE'
  | 'BACKUP_S3_ENDPOINT'
  | 'BACKUP_S3_REGION'
  | 'BACKUP_S3_ACCESS_KEY_FILE'
  | 'BACKUP_S3_SECRET_KEY_FILE'
> &
  Pick<S3Settings, 'S3_REGION'> & {
    readonly [name in Exclude<keyof S3Settings, 'S3_REGION'>]?: string | undefined;
  };

/**
 * The settings with which a backup is read and its master key compared, for commands that need no installation.
 * @throws ConfigError with the name and the accepted values of every invalid variable
 */
export function loadBackupSettings(
  env: NodeJS.ProcessEnv,
): BackupSettings & { readonly masterKeys: string | undefined; readonly kms: KmsSettings } {
  const { MASTER_KEY: masterKeys, ...settings } = parseVariables(backupSchema, readSecretFiles(env));
  return { ...settings, masterKeys, kms: loadKmsSettings(env) };
}
