import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { FaceRecordsActivities } from '../../activities/records/faces';
import type { FaceActivities } from '../../activities/vision/face-indexing';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failFace } = proxyActivities<FaceRecordsActivities>(ACTIVITY_OPTIONS.records);

/** The indexing of a face: the vision pool embeds and records it; it fails once all attempts of the activity failed. */
export async function faceIndexing({ faceId, organisationId }: WorkflowArguments['faceIndexing']): Promise<void> {
  const { indexFace } = proxyActivities<FaceActivities>({
    ...ACTIVITY_OPTIONS.vision,
    priority: { fairnessKey: organisationId },
  });

  showStatus('processing');
  try {
    showStatus(await indexFace({ faceId }));
  } catch (error) {
    if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    const reason = getFailureReason(error);
    await failFace({ faceId, reason });
    showStatus('failed', [reason]);
  }
}
