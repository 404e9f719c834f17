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
 * A business check: all registers are queried in parallel, unavailable ones are recorded as such; then the company that
 * was found and its people are screened, and the check is concluded.
 */
export async function kyb({ kybId, organisationId, providers }: WorkflowArguments['kyb']): Promise<void> {
  // Fairness: a batch of companies of one organisation must not delay a single check of another.
  const priority = { fairnessKey: organisationId };
  const { askRegister } = proxyActivities<KybActivities>({ ...ACTIVITY_OPTIONS.registers, priority });
  const { screenParties } = proxyActivities<KybScreeningActivities>({ ...ACTIVITY_OPTIONS.partyScreening, priority });

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
  // Compatibility with workflows started before companies were screened.
  if (patched('screen-parties')) await screen();
  const { status, risks } = await completeKyb({ kybId });
  showStatus(status, [...outcomes, ...risks]);
}
