import { ActivityFailure, CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RenditionRecordsActivities } from '../../activities/records/renditions';
import type { RenderingActivities } from '../../activities/rendering/activities';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';

const { failRendition } = proxyActivities<RenditionRecordsActivities>(ACTIVITY_OPTIONS.records);

/**
 * Prints one invoice and stores it. A printing that was given up is recorded and fails the workflow, so that the next
 * request may start it again under the same id.
 */
export async function invoicePdf({ renditionId, organisationId }: WorkflowArguments['invoicePdf']): Promise<void> {
  // One organisation's month-end must not starve another's single invoice.
  const { renderInvoice } = proxyActivities<RenderingActivities>({
    ...ACTIVITY_OPTIONS.rendering,
    priority: { fairnessKey: organisationId },
  });

  setCurrentDetails('**printing**');
  try {
    const { sha256, sizeBytes } = await renderInvoice({ renditionId });
    setCurrentDetails(`**stored**: ${sizeBytes} bytes, sha256 ${sha256}`);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const reason = getFailureReason(error);
    await CancellationScope.nonCancellable(() => failRendition({ renditionId, reason }));
    setCurrentDetails(`**failed**: ${reason}`);
    throw error;
  }
}
