import type { Command } from 'commander';
import { restartSession } from '../../services/identity/sessions/restart';
import { printReport, withPlatform } from './platform';

/** Adds `restart-sessions`, for single sessions that `npm run doctor` lists. */
export function addSessionCommands(program: Command): void {
  program
    .command('restart-sessions')
    .description(
      'start the workflows of open sessions that have none, such as after a loss of the data of Temporal; prints their ids, null for a session that needs none',
    )
    .argument('<sessions...>', 'ids of sessions, as npm run doctor lists them')
    .action(async (sessionIds: string[]) => {
      const workflows: Record<string, string | null> = {};
      await withPlatform(async (platform) => {
        for (const sessionId of sessionIds) workflows[sessionId] = await restartSession(platform, sessionId);
      });
      printReport(workflows);
    });
}
