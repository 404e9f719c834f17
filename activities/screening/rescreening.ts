import { summariseError } from '../../lib/logger';
import { isOutage } from '../../lib/outages';
import type { AmlMonitorRecord } from '../../models/identity/aml/aml-monitor';
import { buildNewEntriesSnapshot, getListVersionContext } from '../../services/identity/aml/list-impact';
import {
  findSubject,
  hasChangedHits,
  hasFailedScreening,
  iterateListMonitors,
  rescreenSubject,
} from '../../services/identity/aml/monitors';
import type { MonitorRange } from '../../services/identity/aml/monitors';
import type { Platform } from '../../services/platform/platform';
import { searchByNames } from './engine';
import type { ScreeningEngine } from './engine';
import type { ListToSearch } from './packed-versions';

/** The effect of a version of a list on monitored subjects. */
export interface Impact {
  /** Number of subjects that were compared with it. */
  monitors: number;
  /** Number of those that it concerns, which are screened again. */
  affected: number;
}

/** The effect on a part of the monitored subjects. */
export interface RescreeningPage extends Impact {
  /** Number of subjects that could not be compared or screened. */
  failures: number;
  /** Their monitors, the first {@link MAX_FAILED} of them. */
  failed: string[];
  /** Monitor behind which the next part begins; null if there are no more. */
  next: string | null;
}

/** Ids of failed monitors that a part names, so that a result stays small. */
const MAX_FAILED = 200;

/** What monitored subjects are compared with. */
interface Comparison {
  versionId: string;
  listId: string;
  entries: ListToSearch;
}

/** Compares a subject with the new entries, and screens it again if they concern it. @returns null if it was erased */
async function rescreenMonitor(
  platform: Platform,
  engine: ScreeningEngine,
  monitor: AmlMonitorRecord,
  { versionId, listId, entries }: Comparison,
): Promise<'affected' | 'unaffected' | null> {
  const subject = await findSubject(platform, monitor);
  if (subject === null) return null;
  const { threshold } = monitor;
  const [hits = []] = await searchByNames(engine, [entries], { queries: subject.queries, threshold });
  const isAffected =
    hits.length > 0 ||
    (await hasChangedHits(platform, subject, listId, versionId)) ||
    (await hasFailedScreening(subject));
  if (!isAffected) return 'unaffected';
  await rescreenSubject(platform, subject, versionId);
  return 'affected';
}

/**
 * Compares monitored subjects with what is new in a version of a list, and screens those that it concerns again. One that
 * cannot be screened, such as because its record was altered, holds up none of the others.
 * @param isTimeOver asked after each monitor; the result then says where to go on
 */
export async function rescreenMonitors(
  platform: Platform,
  engine: ScreeningEngine,
  versionId: string,
  range: MonitorRange,
  isTimeOver: () => boolean,
): Promise<RescreeningPage> {
  const context = await getListVersionContext(versionId);
  // Read before the first monitor: entries that cannot be read are no fault of a monitor.
  const snapshot = await buildNewEntriesSnapshot(platform, context);
  const entries = { version: `${versionId}.new`, load: () => Promise.resolve(snapshot) };
  const comparison = { versionId, listId: context.list._id, entries };
  const page: RescreeningPage = { monitors: 0, affected: 0, failures: 0, failed: [], next: null };
  // Screenings of other subjects release what is not a current version.
  const release = engine.hold(entries.version);
  try {
    for await (const monitor of iterateListMonitors(context.list, range)) {
      try {
        const outcome = await rescreenMonitor(platform, engine, monitor, comparison);
        if (outcome !== null) page.monitors += 1;
        if (outcome === 'affected') page.affected += 1;
      } catch (error) {
        if (isOutage(error)) throw error;
        page.failures += 1;
        if (page.failed.length < MAX_FAILED) page.failed.push(monitor._id);
        platform.logger.error(
          { monitorId: monitor._id, versionId, reason: summariseError(error) },
          'A monitored subject could not be screened for a new version of a list',
        );
      }
      if (isTimeOver()) return { ...page, next: monitor._id };
    }
    return page;
  } finally {
    release();
  }
}
