import { continueAsNew, patched, proxyActivities, workflowInfo } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/records/erasure';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import type { MaintenanceActivities } from '../../activities/records/maintenance';
import { ACTIVITY_OPTIONS, OBJECT_AREAS } from '../contracts';
import type { SweepProgress, WorkflowArguments } from '../contracts';

const { sealAuditLog, sweepRecords, sweepArea, sweepUnnamedObjects, replaceWrappingKeys, countDays } =
  proxyActivities<MaintenanceActivities>(ACTIVITY_OPTIONS.upkeep);
const { eraseOverdue, eraseOverdueRound } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.upkeep);

const { expireApprovals } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.upkeep);

/** Chains the audit rows written since the last run. */
export async function sealAudit(): Promise<number> {
  return sealAuditLog();
}

/** Removes the unreferenced objects of one area, in parts. @returns the number of objects removed so far */
async function sweepWholeArea({ area, after, removed }: SweepProgress): Promise<number> {
  let total = removed;
  for (let position = after; ;) {
    const page = await sweepArea({ area, after: position });
    total += page.removed;
    if (page.next === null) return total;
    position = page.next;
    if (workflowInfo().continueAsNewSuggested) {
      await continueAsNew<typeof sweepObjects>({ progress: { area, after: position, removed: total } });
    }
  }
}

/** Removes uploads whose transaction did not commit. @returns the number of objects removed */
export async function sweepObjects({ progress }: WorkflowArguments['sweepObjects']): Promise<number> {
  if (!patched('sweep-in-parts')) return sweepUnnamedObjects();
  if (progress === undefined) await sweepRecords();
  const first = progress === undefined ? 0 : OBJECT_AREAS.indexOf(progress.area);
  let removed = progress?.removed ?? 0;
  for (const area of OBJECT_AREAS.slice(first)) {
    const after = area === progress?.area ? progress.after : null;
    removed = await sweepWholeArea({ area, after, removed });
  }
  return removed;
}

/** Replaces old wrapping keys and removes those whose retention has ended. */
export async function rotateKeys(): Promise<number> {
  return replaceWrappingKeys();
}

/**
 * Erases records whose retention period has ended, however many there are. A round that began no erasure met only
 * records that cannot be erased now, which are left to the next run.
 * @returns the number of started erasures
 */
export async function applyRetention(): Promise<number> {
  if (!patched('retention-rounds')) return eraseOverdue();
  let begun = 0;
  for (;;) {
    const round = await eraseOverdueRound();
    begun += round.begun;
    if (!round.more || round.begun === 0) return begun;
  }
}

/**
 * Expires approvals whose validity period has ended. The glossary says "expire"; this name is stored in schedules and
 * recorded histories, which refer to it.
 */
export async function lapseApprovals(): Promise<number> {
  return expireApprovals();
}

/** Counts the sessions and checks of earlier days before anyone asks for figures of them. */
export async function countStatistics(): Promise<number> {
  return countDays();
}
