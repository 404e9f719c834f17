import { SECOND_MS } from '../../../domain/durations';
import { cacheResult } from '../../../lib/cached-result';
import type { Pool } from '../../../workflows/contracts';
import { unavailableError } from '../../../domain/errors';
import type { Platform } from '../platform';
import { readTaskQueues } from '../task-queues';
import type { TaskQueueStatistics } from '../task-queues';

// Routes do not import contracts of workflows.
export { POOL_NAMES } from '../../../workflows/contracts';

/** The state of a worker pool of the installation. */
export interface PoolStatistics {
  pool: Pool;
  /** Worker processes that asked for tasks within the last minutes. */
  workers: number;
  /** Tasks that no worker has received yet. */
  backlog: number;
  /** How long the oldest of them has waited, in seconds; 0 without any. */
  waitSeconds: number;
  /** Tasks handed to workers per second, over the last half minute. */
  tasksPerSecond: number;
}

/** However many pages show the pools, Temporal is asked so often. */
const KEEP_MS = 5 * SECOND_MS;

/** Combines the queues of a pool: that of orchestration has workflow tasks and activities. */
function combineQueues(queues: readonly TaskQueueStatistics[]): PoolStatistics[] {
  const pools = [...new Set(queues.map(({ pool }) => pool))];
  return pools.map((pool) => {
    const own = queues.filter((queue) => queue.pool === pool);
    return {
      pool,
      workers: Math.max(...own.map(({ pollers }) => pollers)),
      backlog: own.reduce((sum, { backlog }) => sum + backlog, 0),
      waitSeconds: Math.max(...own.map(({ backlogAgeSeconds }) => backlogAgeSeconds)),
      tasksPerSecond: own.reduce((sum, { dispatchedPerSecond }) => sum + dispatchedPerSecond, 0),
    };
  });
}

/** Keeps the last answer of Temporal for a moment. */
class PoolReader {
  private readAll: (() => Promise<PoolStatistics[]>) | undefined;

  read({ temporal, config }: Platform): Promise<PoolStatistics[]> {
    this.readAll ??= cacheResult(KEEP_MS, async () =>
      combineQueues(await readTaskQueues(temporal, config.TEMPORAL_NAMESPACE)),
    );
    return this.readAll();
  }
}

/** The state of every worker pool. @throws AppError 503 if Temporal does not respond */
export async function readPoolStatistics(platform: Platform): Promise<PoolStatistics[]> {
  try {
    return await platform.singletons.get(PoolReader).read(platform);
  } catch (error) {
    throw unavailableError('The task queues cannot be read: Temporal does not respond.', error);
  }
}
