import { QUEUES } from '../../workflows/contracts';
import type { Platform } from './platform';

const DEADLINE_MS = 2000;
/** TASK_QUEUE_TYPE_ACTIVITY of Temporal's API. */
const ACTIVITY_QUEUE = 2;

/** Rejects unless a vision worker polls its task queue; vision workers start only with their models. */
export async function checkVisionWorkers(platform: Platform): Promise<void> {
  const { config, temporal } = platform;
  const response = await temporal.connection.withDeadline(Date.now() + DEADLINE_MS, () =>
    temporal.workflowService.describeTaskQueue({
      namespace: config.TEMPORAL_NAMESPACE,
      taskQueue: { name: QUEUES.vision },
      taskQueueType: ACTIVITY_QUEUE,
    }),
  );
  if ((response.pollers ?? []).length === 0) throw new Error('No vision worker polls its task queue.');
}
