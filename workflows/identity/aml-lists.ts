import { ActivityFailure, isCancellation, patched, proxyActivities } from '@temporalio/workflow';
import type { ListActivities } from '../../activities/screening/lists';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { rescreenAffected, refreshWatchLists, dueWatchLists, refreshWatchList } = proxyActivities<ListActivities>(
  ACTIVITY_OPTIONS.imports,
);

/** Screens the monitored subjects that a new version of a list concerns. */
export async function amlListChanged({ versionId }: WorkflowArguments['amlListChanged']): Promise<void> {
  showStatus('processing');
  const { monitors, affected } = await rescreenAffected({ versionId });
  showStatus('completed', [`${affected} of ${monitors} monitored subjects are screened again`]);
}

/**
 * Fetches watch lists from their publishers, one at a time so that screenings keep their slots. An unavailable source
 * is retried by its activity and then by the next run, without delaying other lists.
 * @returns the number of lists with a new version
 */
export async function refreshLists(): Promise<number> {
  if (!patched('list-by-list')) return refreshWatchLists();
  let renewed = 0;
  for (const listId of await dueWatchLists()) {
    try {
      if (await refreshWatchList({ listId })) renewed += 1;
    } catch (error) {
      if (!(error instanceof ActivityFailure) || isCancellation(error)) throw error;
    }
  }
  return renewed;
}
