import { proxyActivities } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/records/erasure';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { completeErasure } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.records);
const { eraseRows, eraseObjects } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.upkeep);

/**
 * Executes a recorded erasure: the record is already a 404 and its data key destroyed. Retried without limit, since
 * an erasure must be completed.
 */
export async function erasure({ erasureId }: WorkflowArguments['erasure']): Promise<void> {
  showStatus('erasing', ['rows']);
  await eraseRows({ erasureId });
  showStatus('erasing', ['objects']);
  await eraseObjects({ erasureId });
  await completeErasure({ erasureId });
  showStatus('completed');
}
