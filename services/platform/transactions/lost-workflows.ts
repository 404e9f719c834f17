import { WorkflowNotFoundError } from '@temporalio/client';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../platform';

/**
 * Whether no workflow with this id is running and none is about to be started: it has ended, was terminated, or the data
 * of Temporal was lost.
 */
export async function isWorkflowLost({ temporal }: Pick<Platform, 'temporal'>, workflowId: string): Promise<boolean> {
  // Before Temporal is asked: a start that is dispatched between the two is seen there.
  if ((await Outbox.exists({ workflowId, kind: 'start', doneAt: null })) !== null) return false;
  try {
    const { status } = await temporal.workflow.getHandle(workflowId).describe();
    return status.name !== 'RUNNING' && status.name !== 'PAUSED';
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return true;
    throw error;
  }
}
