import { proxyActivities } from '@temporalio/workflow';
import type { ListActivities } from '../activities/screening/lists';
import { ACTIVITY_OPTIONS } from './contracts';
import type { WorkflowArguments } from './contracts';
import { showStatus } from './shown-status';

const { rescreenAffected, refreshWatchLists } = proxyActivities<ListActivities>(ACTIVITY_OPTIONS.imports);

/** A list has a new version: monitored subjects whom it concerns are screened again. */
export async function amlListChanged({ versionId }: WorkflowArguments['amlListChanged']): Promise<void> {
  showStatus('processing');
  const { monitors, affected } = await rescreenAffected({ versionId });
  showStatus('completed', [`${affected} of ${monitors} monitored subjects are screened again`]);
}

/** Fetches watch lists from their publishers. */
export async function refreshLists(): Promise<number> {
  return refreshWatchLists();
}
