import type { Command } from 'commander';
import { getSchemaStatus, migrateDatabase } from '../../services/migrations';
import type { MigrationReport } from '../../services/platform/migrations/run';
import type { Platform } from '../../services/platform/platform';
import { printReport, withAnyPlatform } from './platform';

/** Adds `migrate`, which accepts data of an earlier version; the commands that work with records refuse them. */
export function addMigrateCommand(program: Command): void {
  program
    .command('migrate')
    .description(
      'bring the database to the version of this code; waits while another process migrates, and continues what was interrupted',
    )
    .option('--status', 'only report the version, what is pending and what is running')
    .action(async ({ status = false }: { status?: boolean }) =>
      printReport(await withAnyPlatform<object>(status ? getSchemaStatus : migrate)),
    );
}

const migrate = (platform: Platform): Promise<MigrationReport> =>
  migrateDatabase(platform, (progress) => {
    process.stderr.write(
      'waiting' in progress
        ? `${progress.waiting} migrates; waiting\n`
        : `${progress.name}: ${progress.converted} converted\n`,
    );
  });
