/** Version, processes and pools with their backlog of an installation; the second part of `npm run status`. */
import { loadConfig } from '../lib/config';
import { connectMongo, disconnectMongo } from '../lib/mongo';
import { createTemporalClient } from '../lib/temporal';
import { openMasterKey } from '../lib/kms/open-master-key';
import { createLogger } from '../lib/logger';
import { VERSION } from '../lib/version';
import { ProcessHeartbeat } from '../models/platform/transactions/process-heartbeat';
import { formatAge } from '../services/platform/diagnosis/problem';
import { readTaskQueues } from '../services/platform/task-queues';
import type { TaskQueueStatistics } from '../services/platform/task-queues';
import { getServiceEnvironment } from './demo/running-service';

/** Running processes by name, by the clock of MongoDB. */
const countProcesses = (): Promise<{ _id: string; count: number }[]> =>
  ProcessHeartbeat.aggregate<{ _id: string; count: number }>([
    { $match: { $expr: { $gt: ['$aliveUntil', '$$NOW'] } } },
    { $group: { _id: '$name', count: { $sum: 1 } } },
    { $sort: { _id: 1 } },
  ]);

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

async function main(): Promise<void> {
  const config = loadConfig(getServiceEnvironment());
  const logger = createLogger({ level: 'silent', name: 'status' });
  await connectMongo(config, 'status');
  const temporal = createTemporalClient(config, await openMasterKey(config, { logger }));
  try {
    const [processes, queues] = await Promise.all([
      countProcesses(),
      readTaskQueues(temporal, config.TEMPORAL_NAMESPACE),
    ]);
    const running = processes.map(({ _id, count }) => `${count} ${_id}`).join(', ');
    process.stdout.write(`  version ${VERSION}; processes: ${running === '' ? 'none' : running}\n`);
    process.stdout.write(`${formatTable([HEADINGS, ...queues.map(describeQueue)])}\n`);
    process.exitCode = queues.every(({ pollers }) => pollers > 0) ? 0 : 1;
  } finally {
    await temporal.connection.close();
    await disconnectMongo();
  }
}

main().catch((error: unknown) => {
  process.stderr.write(`  ${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
