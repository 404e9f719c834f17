import { Command, Option } from 'commander';
import { loadBackupSettings } from '../lib/backup/settings';
import { ConfigError } from '../lib/config-error';
import { openMasterKey } from '../lib/kms/open-master-key';
import { createLogger } from '../lib/logger';
import { checkRestoration, RESTORABLE_PARTS, restoreBackup, restorePart } from '../services/restoration';
import { addTargetOptions, openBackups } from './admin/backup-target';
import type { TargetOptions } from './admin/backup-target';
import { endWithReader, reportFailure } from './admin/failure';
import { printReport, withAnyPlatform } from './admin/platform';
import { findServiceEnvironment } from './demo/running-service';

interface RestoreOptions extends TargetOptions {
  backup: string;
  only?: (typeof RESTORABLE_PARTS)[number];
  check?: true;
}

async function check(options: RestoreOptions): Promise<object> {
  const { masterKeys, kms, ...settings } = loadBackupSettings(findServiceEnvironment());
  const vault = await openBackups(settings, options, false);
  if (masterKeys === undefined) throw new ConfigError('MASTER_KEY: missing; set MASTER_KEY or MASTER_KEY_FILE.');
  const logger = createLogger({ level: 'warn', name: 'restore' });
  const masterKey = await openMasterKey({ ...kms, masterKeys }, { logger });
  return checkRestoration({ masterKey }, vault, options.backup);
}

const restore = (options: RestoreOptions): Promise<object> =>
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
    new Option('--only <part>', 'restore what was lost of one part, next to an intact database')
      .choices(RESTORABLE_PARTS)
      .conflicts('check'),
  )
  .option(
    '--check',
    'restore nothing; read the backup and compare it with its checksums, the master keys and this version; needs no installation',
  )
  .addHelpText('after', '\nThe result is JSON on standard output.')
  .showHelpAfterError()
  .action(async (options: RestoreOptions) => printReport(await (options.check ? check(options) : restore(options))));

endWithReader();
program.parseAsync().catch(reportFailure);
