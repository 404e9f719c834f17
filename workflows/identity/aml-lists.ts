import { ActivityFailure, isCancellation, patched, proxyActivities } from '@temporalio/workflow';
import type { ListActivities } from '../../activities/screening/lists';
import { ACTIVITY_OPTIONS } from '../contracts';
import type { WorkflowArguments } from '../contracts';
import { showStatus } from '../status-attribute';

const { rescreenAffected, refreshWatchLists, dueWatchLists, refreshWatchList } = proxyActivities<ListActivities>(
  ACTIVITY_OPTIONS.imports,
);

/** A list has a new version: monitored subjects whom it concerns are screened again. */
export async function amlListChanged({ versionId }: WorkflowArguments['amlListChanged']): Promise<void> {
  showStatus('processing');
  const { monitors, affected } = await rescreenAffected({ versionId });
  showStatus('completed', [`${affected} of ${monitors} monitored subjects are screened again`]);
}

/**
 * Fetches watch lists from their publishers, one after the other so that screenings keep their slots. A source that is
 * down is asked again by its activity's attempts, and then by the next run; it keeps no other list waiting.
 * @returns how many have a new version
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
