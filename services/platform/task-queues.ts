import type { Client } from '@temporalio/client';
import { POOL_NAMES, SECOND_QUEUES, QUEUES } from '../../workflows/contracts';
import type { Pool } from '../../workflows/contracts';

/** Types of tasks in Temporal's API. Only the orchestration pool has workflow tasks. */
const TASK_TYPES = { workflow: 1, activity: 2 } as const;

export type TaskType = keyof typeof TASK_TYPES;

/** The state of one task queue, as Temporal estimates it. */
export interface TaskQueueStatistics {
  pool: Pool;
  taskType: TaskType;
  /** Worker processes that asked for tasks within the last minutes. */
  pollers: number;
  /** Tasks that no worker has received yet. */
  backlog: number;
  /** Age of the oldest of them, in seconds; 0 without any. */
  backlogAgeSeconds: number;
  /** Tasks added and handed to workers per second, over the last half minute. */
  addedPerSecond: number;
  dispatchedPerSecond: number;
}

const DEADLINE_MS = 2000;

/** The task queues of the service: one for each pool, and that of the workflows. */
const TASK_QUEUES: readonly { pool: Pool; taskType: TaskType }[] = [
  { pool: 'orchestration', taskType: 'workflow' },
  ...POOL_NAMES.map((pool) => ({ pool, taskType: 'activity' as const })),
];

/** Asks Temporal for one task queue. @throws an error of gRPC if Temporal does not respond within two seconds */
export async function readTaskQueue(
  temporal: Client,
  namespace: string,
  { pool, taskType, queue = QUEUES[pool] }: { pool: Pool; taskType: TaskType; queue?: string },
): Promise<TaskQueueStatistics> {
  const { pollers, stats } = await temporal.connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.describeTaskQueue({
      namespace,
      taskQueue: { name: queue },
      taskQueueType: TASK_TYPES[taskType],
      reportStats: true,
    }),
  );
  const { seconds, nanos } = stats?.approximateBacklogAge ?? {};
  return {
    pool,
    taskType,
    pollers: pollers?.length ?? 0,
    backlog: Number(stats?.approximateBacklogCount ?? 0),
    backlogAgeSeconds: Number(seconds ?? 0) + (nanos ?? 0) / 1e9,
    addedPerSecond: stats?.tasksAddRate ?? 0,
    dispatchedPerSecond: stats?.tasksDispatchRate ?? 0,
  };
}

const findSecondQueue = (pool: Pool): string | undefined =>
  new Map<string, string>(Object.entries(SECOND_QUEUES)).get(pool);

/** The statistics of a pool with those of its second queue. */
async function readPoolQueues(
  temporal: Client,
  namespace: string,
  { pool, taskType }: { pool: Pool; taskType: TaskType },
): Promise<TaskQueueStatistics> {
  const main = await readTaskQueue(temporal, namespace, { pool, taskType });
  const queue = findSecondQueue(pool);
  if (queue === undefined) return main;
  const second = await readTaskQueue(temporal, namespace, { pool, taskType, queue });
  return {
    ...main,
    backlog: main.backlog + second.backlog,
    backlogAgeSeconds: Math.max(main.backlogAgeSeconds, second.backlogAgeSeconds),
    addedPerSecond: main.addedPerSecond + second.addedPerSecond,
    dispatchedPerSecond: main.dispatchedPerSecond + second.dispatchedPerSecond,
  };
}

/** The statistics of every task queue of the service. @throws as {@link readTaskQueue} does */
export const readTaskQueues = (temporal: Client, namespace: string): Promise<TaskQueueStatistics[]> =>
  Promise.all(TASK_QUEUES.map((queue) => readPoolQueues(temporal, namespace, queue)));
