import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { KybRecordsActivities } from '../activities/records/kyb';
import type { KybActivities } from '../activities/screening/kyb/activities';
import type { KybProviderName } from '../domain/identity/kyb/company';
import { ACTIVITY_OPTIONS } from './contracts';
import type { WorkflowArguments } from './contracts';
import { reasonOf } from './failure-reason';
import { showStatus } from './shown-status';

const { recordKybOutage, completeKyb } = proxyActivities<KybRecordsActivities>(ACTIVITY_OPTIONS.records);

/** A business check: every register is asked at once; one that stays away is noted as such, and the rest concludes. */
export async function kyb({ kybId, organisationId, providers }: WorkflowArguments['kyb']): Promise<void> {
  // One organisation's batch of companies must not delay another's single one.
  const { askRegister } = proxyActivities<KybActivities>({
    ...ACTIVITY_OPTIONS.screening,
    priority: { fairnessKey: organisationId },
  });

  const answers: string[] = [];
  const ask = async (provider: KybProviderName): Promise<void> => {
    try {
      answers.push(`${provider}: ${await askRegister({ kybId, provider })}`);
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
      const reason = reasonOf(error);
      await recordKybOutage({ kybId, provider, reason });
      answers.push(`${provider}: unavailable (${reason})`);
    }
    showStatus('processing', answers);
  };

  showStatus('processing', providers);
  await Promise.all(providers.map(ask));
  const { status, risks } = await completeKyb({ kybId });
  showStatus(status, [...answers, ...risks]);
}
