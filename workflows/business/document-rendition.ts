import { ActivityFailure, CancellationScope, proxyActivities, setCurrentDetails } from '@temporalio/workflow';
import type { RenditionRecordsActivities } from '../../activities/records/renditions';
import type { RenderingActivities } from '../../activities/rendering/documents';
import { ACTIVITY_OPTIONS, RENDER_DOCUMENT_ACTIVITY } from '../contracts';
import type { DOCUMENT_RENDITION_WORKFLOW, WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';

const { failRendition } = proxyActivities<RenditionRecordsActivities>(ACTIVITY_OPTIONS.records);

/**
 * Renders one document in one format and stores it. A failure is recorded and fails the workflow, so that the next
 * request may start it again under the same id.
 */
async function documentRendition(input: WorkflowArguments[typeof DOCUMENT_RENDITION_WORKFLOW]): Promise<void> {
  const { renditionId, organisationId } = input;
  // The fairness key prevents one organisation's many documents from delaying a single document of another.
  const { [RENDER_DOCUMENT_ACTIVITY]: renderDocument } = proxyActivities<RenderingActivities>({
    ...ACTIVITY_OPTIONS.rendering,
    priority: { fairnessKey: organisationId },
  });

  setCurrentDetails('**printing**');
  try {
    const { sha256, sizeBytes } = await renderDocument({ renditionId });
    setCurrentDetails(`**stored**: ${sizeBytes} bytes, sha256 ${sha256}`);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const reason = getFailureReason(error);
    await CancellationScope.nonCancellable(() => failRendition({ renditionId, reason }));
    setCurrentDetails(`**failed**: ${reason}`);
    throw error;
  }
}

/** The name of the export is the workflow type: {@link DOCUMENT_RENDITION_WORKFLOW}. */
export { documentRendition as invoicePdf };
