import type { Egress } from '../../lib/egress/egress';
import { recordImpact } from '../../services/identity/aml/list-impact';
import { findDueLists, refreshList, refreshLists } from '../../services/identity/aml/refresh';
import type { Platform } from '../../services/platform/platform';
import { MINUTE_MS } from '../../domain/durations';
import { createStopCondition, withHeartbeat } from '../heartbeat';
import type { ScreeningEngine } from './engine';
import { rescreenMonitors } from './rescreening';
import type { Impact, RescreeningPage } from './rescreening';

/** Well below the timeout of the activity; long enough that it matters little that each one reads the new entries. */
const RESCREENING_MS = 5 * MINUTE_MS;

export interface ListActivities {
  /**
   * Screens the monitored subjects that a new version of a list concerns, and those whose last screening failed, each
   * only once however often it is called, until its time is over.
   * @param input.after id of the monitor behind which it begins; null for the first
   * @param input.only ids of the monitors to screen; null for all
   */
  rescreenMonitors: (input: {
    versionId: string;
    after: string | null;
    only: string[] | null;
  }) => Promise<RescreeningPage>;
  /** Records that a version of a list has had its effect on all monitored subjects. */
  recordListImpact: (input: { versionId: string; impact: Impact }) => Promise<void>;
  /** All monitored subjects at once; for workflows started before they were screened in parts. */
  rescreenAffected: (input: { versionId: string }) => Promise<Impact>;
  /** Ids of the lists that are due for a refresh. */
  dueWatchLists: () => Promise<string[]>;
  /** Fetches one list. @returns whether it has a new version */
  refreshWatchList: (input: { listId: string }) => Promise<boolean>;
  /** Fetches all lists that are due; for workflows started before lists were fetched one by one. */
  refreshWatchLists: () => Promise<number>;
}

/** The activities that fetch watch lists and screen monitored subjects again. */
export const createListActivities = (platform: Platform, engine: ScreeningEngine, egress: Egress): ListActivities => ({
  rescreenMonitors: ({ versionId, ...range }) =>
    withHeartbeat(() => rescreenMonitors(platform, engine, versionId, range, createStopCondition(RESCREENING_MS))),
  recordListImpact: ({ versionId, impact }) => recordImpact(versionId, impact),
  rescreenAffected: ({ versionId }) =>
    withHeartbeat(async () => {
      const page = await rescreenMonitors(platform, engine, versionId, { after: null, only: null }, () => false);
      const { monitors, affected, failures } = page;
      if (failures > 0) throw new Error(`${failures} monitored subjects could not be screened again.`);
      await recordImpact(versionId, { monitors, affected });
      return { monitors, affected };
    }),
  dueWatchLists: () => findDueLists(platform),
  refreshWatchList: ({ listId }) => withHeartbeat(() => refreshList(platform, egress, listId)),
  refreshWatchLists: () => withHeartbeat(() => refreshLists(platform, egress)),
});
