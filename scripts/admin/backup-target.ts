import type { Command } from 'commander';
import { openBackupTarget } from '../../lib/backup/target';
import { openVault } from '../../lib/backup/vault';
import type { BackupVault } from '../../lib/backup/vault';
import type { BackupSettings } from '../../lib/backup/settings';
import { ConfigError } from '../../lib/config-error';
import type { S3Settings } from '../../lib/object-store';
import { readSecretFile } from '../../lib/secret-settings';

/** @throws ConfigError for a value that is missing */
function requireS3Setting(name: keyof S3Settings, value: string | undefined): string {
  if (value === undefined)
    throw new ConfigError(`BACKUP_${name} or ${name}: is required for a target on S3; accepts a server that runs.`);
  return value;
}

/** The S3 server of backups: one of its own, or that of the installation. */
const readS3Settings = (settings: BackupSettings): S3Settings => ({
  S3_ENDPOINT: requireS3Setting('S3_ENDPOINT', settings.BACKUP_S3_ENDPOINT ?? settings.S3_ENDPOINT),
  S3_REGION: settings.BACKUP_S3_REGION ?? settings.S3_REGION,
  S3_ACCESS_KEY: requireS3Setting(
    'S3_ACCESS_KEY',
    readOptional('BACKUP_S3_ACCESS_KEY', settings.BACKUP_S3_ACCESS_KEY_FILE) ?? settings.S3_ACCESS_KEY,
  ),
  S3_SECRET_KEY: requireS3Setting(
    'S3_SECRET_KEY',
    readOptional('BACKUP_S3_SECRET_KEY', settings.BACKUP_S3_SECRET_KEY_FILE) ?? settings.S3_SECRET_KEY,
  ),
});

const readOptional = (name: string, file: string | undefined): string | undefined =>
  file === undefined ? undefined : readSecretFile(name, file);

/** Options that say where backups are and with which passphrase. */
export interface TargetOptions {
  target?: string;
  keyFile?: string;
}

/** Adds the options of {@link TargetOptions}, which precede `BACKUP_TARGET` and `BACKUP_KEY_FILE`. */
export const addTargetOptions = (command: Command): Command =>
  command
    .option('--target <place>', 'folder or s3://<bucket>/<prefix> of the backups (default: BACKUP_TARGET)')
    .option('--key-file <path>', 'file with the passphrase that encrypts the backups (default: BACKUP_KEY_FILE)');

/** @throws ConfigError naming the setting that is missing or wrong */
export function openBackups(settings: BackupSettings, options: TargetOptions, create: boolean): Promise<BackupVault> {
  const target = options.target ?? settings.BACKUP_TARGET;
  const keyFile = options.keyFile ?? settings.BACKUP_KEY_FILE;
  if (target === undefined) throw new ConfigError('BACKUP_TARGET: is required, or --target.');
  if (keyFile === undefined) throw new ConfigError('BACKUP_KEY_FILE: is required, or --key-file.');
  const opened = openBackupTarget(target, () => readS3Settings(settings));
  return openVault(opened, readSecretFile('BACKUP_KEY', keyFile), create);
}
