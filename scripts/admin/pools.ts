import type { Command } from 'commander';
import { loadConfig } from '../../lib/config';
import { connectMongo, disconnectMongo } from '../../lib/mongo';
import { VERSION } from '../../lib/version';
import { formatAge } from '../../services/platform/diagnosis/problem';
import { countProcesses } from '../../services/platform/monitoring';
import { readTaskQueues } from '../../services/platform/task-queues';
import type { TaskQueueStatistics } from '../../services/platform/task-queues';
import { getServiceEnvironment } from '../demo/running-service';
import { connectTemporal } from './temporal';

const HEADINGS = ['pool', 'tasks', 'workers', 'waiting', 'oldest', 'added/s', 'done/s'];

const describeQueue = (queue: TaskQueueStatistics): string[] => [
  queue.pool,
  queue.taskType,
  String(queue.pollers),
  String(queue.backlog),
  queue.backlog === 0 ? '–' : formatAge(queue.backlogAgeSeconds * 1000),
  queue.addedPerSecond.toFixed(1),
  queue.dispatchedPerSecond.toFixed(1),
];

/** Aligns the first two columns to the left and the figures to the right. */
function formatTable(rows: readonly string[][]): string {
  const widths = HEADINGS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const format = (row: string[]): string =>
    row
      .map((cell, column) => (column < 2 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('  ');
  return rows.map((row) => `  ${format(row)}`).join('\n');
}

/** Prints version, processes and pools. @returns whether every pool has a worker */
async function printPools(): Promise<boolean> {
  const config = loadConfig(getServiceEnvironment());
  await connectMongo(config, 'status');
  const temporal = await connectTemporal('status');
  try {
    const [processes, queues] = await Promise.all([
      countProcesses(),
      readTaskQueues(temporal, config.TEMPORAL_NAMESPACE),
    ]);
    const running = processes
      .map(({ name, count }) => `${count} ${name}`)
      .sort()
      .join(', ');
    process.stdout.write(`  version ${VERSION}; processes: ${running === '' ? 'none' : running}\n`);
    process.stdout.write(`${formatTable([HEADINGS, ...queues.map(describeQueue)])}\n`);
    return queues.every(({ pollers }) => pollers > 0);
  } finally {
    await temporal.connection.close();
    await disconnectMongo();
  }
}

/** The second part of `npm run status`. */
export function addPoolsCommand(program: Command): void {
  program
    .command('pools')
    .description(
      'print version, processes, and each pool with its workers and backlog; exits with code 1 if one has none',
    )
    .action(async () => {
      if (!(await printPools())) process.exitCode = 1;
    });
}
