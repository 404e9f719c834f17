import { Command, InvalidArgumentError, Option } from 'commander';
import { systemClock } from '../lib/clock';
import { loadBackupSettings } from '../lib/backup/settings';
import { getSchemaStatus } from '../services/migrations';
import { ConfigError } from '../lib/config-error';
import { backUp, verifyBackup } from '../services/platform/backup/backup';
import { removeOutdated } from '../services/platform/backup/retention';
import { addTargetOptions, openBackups } from './admin/backup-target';
import type { TargetOptions } from './admin/backup-target';
import { endWithReader, reportFailure } from './admin/failure';
import { printReport, withAnyPlatform } from './admin/platform';
import { findServiceEnvironment } from './demo/running-service';

interface BackupOptions extends TargetOptions {
  verify?: string | true;
  keep?: number;
  prune?: true;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('accepts a number from 1.');
  return Number(text);
}

const LOST_KEYS =
  'The key store has no key of organisations whose data is encrypted: S3_KEY_BUCKET names another bucket, or it was emptied. The backup has the keys of the earlier one for them. See docs/runbooks/loss-of-keys.md.';

/** Needs no installation: a backup is verified where it is kept, too. */
async function verify(options: BackupOptions, id: string): Promise<object> {
  const settings = loadBackupSettings(findServiceEnvironment());
  return verifyBackup(await openBackups(settings, options, false), id);
}

/** Needs no installation: the disk of its database may be the one that is full. */
async function prune(options: BackupOptions): Promise<object> {
  if (options.keep === undefined) throw new ConfigError('--prune: needs --keep, the number of backups that remain.');
  const vault = await openBackups(loadBackupSettings(findServiceEnvironment()), options, false);
  return removeOutdated(vault, options.keep, systemClock.now());
}

const backUpInstallation = (options: BackupOptions): Promise<object> =>
  withAnyPlatform(async (platform) => {
    const vault = await openBackups(platform.config, options, true);
    const { version } = await getSchemaStatus(platform);
    const report = await backUp(platform, vault, version, options.keep);
    if (report.organisationsWithoutKeys.length > 0) {
      process.exitCode = 2;
      process.stderr.write(`${LOST_KEYS}\n`);
    }
    return report;
  });

function run(options: BackupOptions): Promise<object> {
  if (options.prune === true) return prune(options);
  if (options.verify === undefined) return backUpInstallation(options);
  return verify(options, options.verify === true ? 'latest' : options.verify);
}

const program = addTargetOptions(
  new Command('npm run backup --').description(
    'Backs up records, objects and keys of an installation while it runs: the one that MONGO_URL and the other variables name, else the running stack of this clone.',
  ),
)
  .option(
    '--keep <count>',
    'remove older backups, so that this many remain, and interrupted ones that began more than two days ago',
    parseCount,
  )
  .addOption(
    new Option(
      '--prune',
      'back up nothing; only remove what --keep does not keep; needs no installation, and does not ask whether the key store has lost keys',
    ).conflicts('verify'),
  )
  .option(
    '--verify [id]',
    'back up nothing; read a backup (default: the latest) and compare it with its checksums; needs no installation',
  )
  .addHelpText('after', '\nThe result is JSON on standard output. Exit code 2: the key store has lost keys.')
  .showHelpAfterError()
  .action(async (options: BackupOptions) => printReport(await run(options)));

endWithReader();
program.parseAsync().catch(reportFailure);
