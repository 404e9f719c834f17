import type { Egress } from '../../lib/egress/egress';
import { buildNewEntriesSnapshot, getListVersionContext, recordImpact } from '../../services/identity/aml/list-impact';
import type { ListVersionContext } from '../../services/identity/aml/list-impact';
import {
  hasChangedHits,
  hasFailedScreening,
  iterateListMonitors,
  rescreenSubject,
} from '../../services/identity/aml/monitors';
import { findDueLists, refreshList, refreshLists } from '../../services/identity/aml/refresh';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';
import { searchByNames } from './engine';
import type { ScreeningEngine } from './engine';
import type { ListToSearch } from './packed-versions';

export interface ListActivities {
  /**
   * Screens the monitored subjects that a new version of a list concerns, and those whose last screening failed, each
   * only once however often it is called.
   */
  rescreenAffected: (input: { versionId: string }) => Promise<{ monitors: number; affected: number }>;
  /** Ids of the lists that are due for a refresh. */
  dueWatchLists: () => Promise<string[]>;
  /** Fetches one list. @returns whether it has a new version */
  refreshWatchList: (input: { listId: string }) => Promise<boolean>;
  /** Fetches all lists that are due; for workflows started before lists were fetched one by one. */
  refreshWatchLists: () => Promise<number>;
}

async function rescreenMonitors(
  platform: Platform,
  engine: ScreeningEngine,
  { version: { _id: versionId }, list }: ListVersionContext,
  entries: ListToSearch,
): Promise<{ monitors: number; affected: number }> {
  const impact = { monitors: 0, affected: 0 };
  for await (const subject of iterateListMonitors(platform, list)) {
    impact.monitors += 1;
    const { queries, monitor } = subject;
    const [hits = []] = await searchByNames(engine, [entries], { queries, threshold: monitor.threshold });
    const isAffected =
      hits.length > 0 ||
      (await hasChangedHits(platform, subject, list._id, versionId)) ||
      (await hasFailedScreening(subject));
    if (!isAffected) continue;
    impact.affected += 1;
    await rescreenSubject(platform, subject, versionId);
  }
  return impact;
}

async function rescreenAffected(platform: Platform, engine: ScreeningEngine, versionId: string) {
  const listUpdate = await getListVersionContext(versionId);
  const entries = { version: `${versionId}.new`, load: () => buildNewEntriesSnapshot(platform, listUpdate) };
  // Screenings of other subjects release what is not a current version.
  const release = engine.hold(entries.version);
  try {
    const impact = await rescreenMonitors(platform, engine, listUpdate, entries);
    await recordImpact(versionId, impact);
    return impact;
  } finally {
    release();
  }
}

/** The activities that fetch watch lists and screen monitored subjects again. */
export const createListActivities = (platform: Platform, engine: ScreeningEngine, egress: Egress): ListActivities => ({
  rescreenAffected: ({ versionId }) => withHeartbeat(() => rescreenAffected(platform, engine, versionId)),
  dueWatchLists: () => findDueLists(platform),
  refreshWatchList: ({ listId }) => withHeartbeat(() => refreshList(platform, egress, listId)),
  refreshWatchLists: () => withHeartbeat(() => refreshLists(platform, egress)),
});
