import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import type { CheckActivities } from '../../activities/checks';
import { CHECKS } from '../../domain/identity/checks/checks';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failCheck } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.records);

/** A check: the pool of its kind runs it and records the result; it fails once all attempts of the activity failed. */
export async function check({ checkId, kind, organisationId }: WorkflowArguments['check']): Promise<void> {
  // Fairness: many checks of one organisation must not delay those of others.
  const { runCheck } = proxyActivities<CheckActivities>({
    ...ACTIVITY_OPTIONS[CHECKS[kind].pool],
    priority: { fairnessKey: organisationId },
  });

  showStatus('processing', [kind]);
  try {
    const { status, verdict, risks } = await runCheck({ checkId });
    showStatus(status, [`${kind}: ${verdict ?? 'no verdict'}`, ...risks]);
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const reason = getFailureReason(error);
    await failCheck({ checkId, reason });
    showStatus('failed', [`${kind}: ${reason}`]);
  }
}
