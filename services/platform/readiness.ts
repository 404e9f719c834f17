import type { Platform } from './platform';
import { readTaskQueue } from './task-queues';

/** Rejects unless a vision worker polls its task queue; vision workers start only with their models. */
export async function checkVisionWorkers({ config, temporal }: Platform): Promise<void> {
  const { pollers } = await readTaskQueue(temporal, config.TEMPORAL_NAMESPACE, {
    pool: 'vision',
    taskType: 'activity',
  });
  if (pollers === 0) throw new Error('No vision worker polls its task queue.');
}
