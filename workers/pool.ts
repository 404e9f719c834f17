import type { WorkerOptions } from '@temporalio/worker';
import type { Platform } from '../services/platform/platform';
import type { Pool } from '../workflows/contracts';

/** One worker pool of this process, ready to be run by workers/main.ts. */
export interface PoolRuntime {
  /** Activity functions by name. */
  activities: object;
  /** Fixed slots: how many activities run at once in this process. */
  slots: number;
  /** Longest attempt, in ms: the drain waits this long and a little more. */
  maxAttemptMs: number;
  /** More options of the Temporal worker, such as those of the workflow pool. */
  workerOptions?: Partial<WorkerOptions>;
  /** Rejects when the pool cannot do its work (models, browser). */
  health(): Promise<void>;
  /** Called once the worker has drained. */
  close(): Promise<void>;
}

/** A file of workers/pools: makes the pool's engines and activities. */
export interface PoolDefinition {
  pool: Pool;
  create(platform: Platform): Promise<PoolRuntime>;
}
