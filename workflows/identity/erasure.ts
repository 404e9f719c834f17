import { proxyActivities } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/records/erasure';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { completeErasure } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.records);
const { eraseRows, eraseObjects } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.upkeep);

/**
 * Carries out an erasure that is recorded: the record is a 404 and its data key destroyed before this begins. It is
 * tried until it is done, since a person's right to be forgotten has no last attempt.
 */
export async function erasure({ erasureId }: WorkflowArguments['erasure']): Promise<void> {
  showStatus('erasing', ['rows']);
  await eraseRows({ erasureId });
  showStatus('erasing', ['objects']);
  await eraseObjects({ erasureId });
  await completeErasure({ erasureId });
  showStatus('completed');
}
