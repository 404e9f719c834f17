import { ActivityFailure, CancellationScope, proxyActivities } from '@temporalio/workflow';
import type { RenditionRecordsActivities } from '../../activities/records/renditions';
import type { ReportActivities } from '../../activities/rendering/reports';
import type { PreviewActivities } from '../../activities/vision/previews';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failEvidenceRendition } = proxyActivities<RenditionRecordsActivities>(ACTIVITY_OPTIONS.records);

/**
 * Renders a report or a preview in its pool. A failure is recorded and fails the workflow, so that the next request may
 * start it again under the same id.
 */
export async function evidenceRendition(input: WorkflowArguments['evidenceRendition']): Promise<void> {
  const { renditionId, organisationId, kind } = input;
  const priority = { fairnessKey: organisationId };
  const { renderReport } = proxyActivities<ReportActivities>({ ...ACTIVITY_OPTIONS.rendering, priority });
  const { renderPreview } = proxyActivities<PreviewActivities>({ ...ACTIVITY_OPTIONS.vision, priority });

  showStatus('rendering', [kind]);
  try {
    if (kind === 'report') await renderReport({ renditionId });
    else await renderPreview({ renditionId });
    showStatus('stored', [kind]);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const reason = getFailureReason(error);
    await CancellationScope.nonCancellable(() => failEvidenceRendition({ renditionId, reason }));
    showStatus('failed', [`${kind}: ${reason}`]);
    throw error;
  }
}
