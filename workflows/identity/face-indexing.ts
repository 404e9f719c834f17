import { ActivityFailure, isCancellation, proxyActivities } from '@temporalio/workflow';
import type { FaceRecordsActivities } from '../../activities/records/faces';
import type { FaceActivities } from '../../activities/vision/face-indexing';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { getFailureReason } from '../failure-reason';
import { showStatus } from '../status-attribute';

const { failFace } = proxyActivities<FaceRecordsActivities>(ACTIVITY_OPTIONS.records);

/** A face to be searched for later: the vision pool embeds and records it; given up once its attempts are used. */
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
