import { Command, Option } from 'commander';
import { RESTORABLE_PARTS, restoreBackup, restorePart } from '../services/restoration';
import { addTargetOptions, openBackups } from './admin/backup-target';
import type { TargetOptions } from './admin/backup-target';
import { reportFailure } from './admin/failure';
import { printReport, withAnyPlatform } from './admin/platform';

interface RestoreOptions extends TargetOptions {
  backup: string;
  only?: (typeof RESTORABLE_PARTS)[number];
}

const run = (options: RestoreOptions): Promise<object> =>
  withAnyPlatform(async (platform) => {
    const { backup, only } = options;
    const vault = await openBackups(platform.config, options, false);
    return only === undefined ? restoreBackup(platform, vault, backup) : restorePart(platform, vault, backup, only);
  });

const program = addTargetOptions(
  new Command('npm run restore --').description(
    'Restores a backup into an empty database, while no other process uses it: the one that MONGO_URL and the other variables name, else that of the running stack of this clone.',
  ),
)
  .option('--backup <id>', 'id of the backup', 'latest')
  .addOption(
    new Option('--only <part>', 'restore what was lost of one part, next to an intact database').choices(
      RESTORABLE_PARTS,
    ),
  )
  .addHelpText('after', '\nThe result is JSON on standard output.')
  .showHelpAfterError()
  .action(async (options: RestoreOptions) => printReport(await run(options)));

program.parseAsync().catch(reportFailure);
