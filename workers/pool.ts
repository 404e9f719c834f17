import type { WorkerOptions } from '@temporalio/worker';
import type { Platform } from '../services/platform/platform';
import type { Pool } from '../workflows/contracts';
import type { SlotPlan } from './slots';

/** A worker pool of this process, started by workers/run.ts. */
export interface PoolRuntime {
  /** Activity functions by name. */
  activities: object;
  /** Maximum number of activities running at the same time in this process. */
  slots: number;
  /** Duration of the longest attempt in ms; draining waits slightly longer. */
  maxAttemptMs: number;
  /** Activities of the second queue of the pool, with slots of their own. */
  second?: { taskQueue: string; activities: object; slots: number };
  /** Additional options of the Temporal worker. */
  workerOptions?: Partial<WorkerOptions>;
  /** Rejects if the pool cannot work, for example without its models or browser. */
  health(): Promise<void>;
  /** Called after the worker has drained. */
  close(): Promise<void>;
}

/** Exported by each file of workers/pools: creates the engines and activities of the pool. */
export interface PoolDefinition {
  pool: Pool;
  /** Whether failed activities are repeated until they succeed; else faults of engines and inputs become final. */
  retriesFaults: boolean;
  create(platform: Platform, slots: SlotPlan): Promise<PoolRuntime>;
}
