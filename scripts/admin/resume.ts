import type { Command } from 'commander';
import { resumeWorkflows } from '../../services/resumption';
import { printReport, withPlatform } from './platform';

/** Adds `resume-workflows`, for all records after a loss of Temporal's database. */
export function addResumeCommand(program: Command): void {
  program
    .command('resume-workflows')
    .description(
      'start the workflows of all open records, after Temporal lost its database; running ones are left alone',
    )
    .action(async () => printReport(await withPlatform(resumeWorkflows)));
}
