import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { AmlRecordsActivities } from '../../activities/records/aml';
import type { AmlActivities } from '../../activities/screening/aml';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failScreening } = proxyActivities<AmlRecordsActivities>(ACTIVITY_OPTIONS.records);

/** Runs a screening; it is marked as failed once all attempts are used. */
export async function amlScreening({ screeningId, organisationId }: WorkflowArguments['amlScreening']): Promise<void> {
  // Fairness: a flood of screenings of one organisation must not starve others.
  const { runScreening } = proxyActivities<AmlActivities>({
    ...ACTIVITY_OPTIONS.screening,
    priority: { fairnessKey: organisationId },
  });

  showStatus('processing', ['aml']);
  try {
    const { status, match, hits } = await runScreening({ screeningId });
    showStatus(status, [`match: ${String(match)}, hits: ${hits}`]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const reason = getFailureReason(error);
    await failScreening({ screeningId, reason });
    showStatus('failed', [reason]);
  }
}
