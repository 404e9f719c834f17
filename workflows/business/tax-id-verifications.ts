import { proxyActivities } from '@temporalio/workflow';
import type { TaxIdActivities } from '../../activities/delivery/tax-ids';
import { attemptUntilNoneIsLeft } from '../backlog';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';

/** Has the VAT identifiers of one organisation verified by VIES. */
export async function taxIdVerifications(input: WorkflowArguments['taxIdVerifications']): Promise<void> {
  const { verifyTaxIds } = proxyActivities<TaxIdActivities>({
    ...ACTIVITY_OPTIONS.sharedDelivery,
    priority: { fairnessKey: input.organisationId },
  });
  await attemptUntilNoneIsLeft(input, () => verifyTaxIds(input));
}
