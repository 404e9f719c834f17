import type { Command } from 'commander';
import { openBackupTarget } from '../../lib/backup/target';
import { openVault } from '../../lib/backup/vault';
import type { BackupVault } from '../../lib/backup/vault';
import type { Config } from '../../lib/config';
import { ConfigError } from '../../lib/config-error';
import { readSecretFile } from '../../lib/secret-settings';

/** The S3 server of backups: one of its own, or that of the installation. */
const readS3Settings = (config: Config) => ({
  S3_ENDPOINT: config.BACKUP_S3_ENDPOINT ?? config.S3_ENDPOINT,
  S3_REGION: config.BACKUP_S3_REGION ?? config.S3_REGION,
  S3_ACCESS_KEY: readOptional('BACKUP_S3_ACCESS_KEY', config.BACKUP_S3_ACCESS_KEY_FILE) ?? config.S3_ACCESS_KEY,
  S3_SECRET_KEY: readOptional('BACKUP_S3_SECRET_KEY', config.BACKUP_S3_SECRET_KEY_FILE) ?? config.S3_SECRET_KEY,
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
export function openBackups(config: Config, options: TargetOptions, create: boolean): Promise<BackupVault> {
  const target = options.target ?? config.BACKUP_TARGET;
  const keyFile = options.keyFile ?? config.BACKUP_KEY_FILE;
  if (target === undefined) throw new ConfigError('BACKUP_TARGET: is required, or --target.');
  if (keyFile === undefined) throw new ConfigError('BACKUP_KEY_FILE: is required, or --key-file.');
  return openVault(openBackupTarget(target, readS3Settings(config)), readSecretFile('BACKUP_KEY', keyFile), create);
}
