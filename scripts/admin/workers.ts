import { InvalidArgumentError } from 'commander';
import type { Command } from 'commander';
import { listWorkerVersions, promoteWorkers } from '../../lib/worker-deployment';
import { printReport, withPlatform } from './platform';

/** Adds `worker-versions` and `promote-workers`, with which a new build takes over step by step. */
export function addWorkerCommands(program: Command): void {
  program
    .command('worker-versions')
    .description('list the builds of workers (WORKER_BUILD_ID) that Temporal knows, with what each is given')
    .action(() => withPlatform(async (platform) => printReport(await listVersions(platform))));
  program
    .command('promote-workers <build-id>')
    .description('give tasks to the workers of this build; "none" for workers without a build id')
    .option(
      '--percentage <share>',
      'share of the workflows that the build is given (default: 100)',
      parsePercentage,
      100,
    )
    .action(async (buildId: string, { percentage }: { percentage: number }) => {
      await withPlatform(async (platform) => {
        const { TEMPORAL_NAMESPACE } = platform.config;
        const target = { buildId: buildId === 'none' ? null : buildId, percentage };
        await promoteWorkers(platform.temporal, TEMPORAL_NAMESPACE, target);
        printReport(await listVersions(platform));
      });
    });
}

type ConnectedPlatform = Parameters<Parameters<typeof withPlatform>[0]>[0];

const listVersions = async ({ temporal, config }: ConnectedPlatform): Promise<object> => ({
  versions: await listWorkerVersions(temporal, config.TEMPORAL_NAMESPACE),
});

function parsePercentage(text: string): number {
  const percentage = Number(text);
  if (!(percentage > 0 && percentage <= 100)) throw new InvalidArgumentError('accepts a number above 0, at most 100.');
  return percentage;
}
