import { Command, InvalidArgumentError } from 'commander';
import { getSchemaStatus } from '../services/migrations';
import { backUp, verifyBackup } from '../services/platform/backup/backup';
import { addTargetOptions, openBackups } from './admin/backup-target';
import type { TargetOptions } from './admin/backup-target';
import { reportFailure } from './admin/failure';
import { printReport, withAnyPlatform } from './admin/platform';

interface BackupOptions extends TargetOptions {
  verify?: string | true;
  keep?: number;
}

function parseCount(text: string): number {
  if (!/^[1-9]\d{0,4}$/.test(text)) throw new InvalidArgumentError('accepts a number from 1.');
  return Number(text);
}

const run = (options: BackupOptions): Promise<object> =>
  withAnyPlatform(async (platform) => {
    const { verify, keep } = options;
    const vault = await openBackups(platform.config, options, verify === undefined);
    if (verify !== undefined) return verifyBackup(vault, verify === true ? 'latest' : verify);
    const { version } = await getSchemaStatus(platform);
    return backUp(platform, vault, version, keep);
  });

const program = addTargetOptions(
  new Command('npm run backup --').description(
    'Backs up records, objects and keys of an installation while it runs: the one that MONGO_URL and the other variables name, else the running stack of this clone.',
  ),
)
  .option('--keep <count>', 'remove older backups, so that this many remain', parseCount)
  .option('--verify [id]', 'back up nothing; read a backup (default: the latest) and compare it with its checksums')
  .addHelpText('after', '\nThe result is JSON on standard output.')
  .showHelpAfterError()
  .action(async (options: BackupOptions) => printReport(await run(options)));

program.parseAsync().catch(reportFailure);
