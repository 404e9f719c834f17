import { ActivityFailure, isCancellation, patched, proxyActivities } from '@temporalio/workflow';
import type { KybRecordsActivities } from '../../activities/records/kyb';
import type { KybActivities } from '../../activities/screening/kyb/activities';
import type { KybScreeningActivities } from '../../activities/screening/kyb/screening';
import type { KybProviderName } from '../../domain/identity/kyb/company';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { recordKybOutage, recordKybScreeningOutage, completeKyb } = proxyActivities<KybRecordsActivities>(
  ACTIVITY_OPTIONS.records,
);

/**
 * A business check: every register is asked at once; one that stays away is noted as such, and the rest concludes. The
 * company that was found and the people in it are put to the watch lists before.
 */
export async function kyb({ kybId, organisationId, providers }: WorkflowArguments['kyb']): Promise<void> {
  // One organisation's batch of companies must not delay another's single one.
  const { askRegister, screenParties } = proxyActivities<KybActivities & KybScreeningActivities>({
    ...ACTIVITY_OPTIONS.screening,
    priority: { fairnessKey: organisationId },
  });

  const outcomes: string[] = [];
  const queryRegister = async (provider: KybProviderName): Promise<void> => {
    try {
      outcomes.push(`${provider}: ${await askRegister({ kybId, provider })}`);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      const reason = getFailureReason(error);
      await recordKybOutage({ kybId, provider, reason });
      outcomes.push(`${provider}: unavailable (${reason})`);
    }
    showStatus('processing', outcomes);
  };

  const screen = async (): Promise<void> => {
    try {
      outcomes.push(`watch lists: ${await screenParties({ kybId })}`);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      const reason = getFailureReason(error);
      await recordKybScreeningOutage({ kybId, reason });
      outcomes.push(`watch lists: unavailable (${reason})`);
    }
    showStatus('processing', outcomes);
  };

  showStatus('processing', providers);
  await Promise.all(providers.map(queryRegister));
  // Checks that began before companies were screened end as they began.
  if (patched('screen-parties')) await screen();
  const { status, risks } = await completeKyb({ kybId });
  showStatus(status, [...outcomes, ...risks]);
}
