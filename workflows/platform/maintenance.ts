import { patched, proxyActivities } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/records/erasure';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import type { MaintenanceActivities } from '../../activities/records/maintenance';
import { ACTIVITY_OPTIONS } from '../contracts';

const { sealAuditLog, sweepUnnamedObjects, replaceWrappingKeys, countDays } = proxyActivities<MaintenanceActivities>(
  ACTIVITY_OPTIONS.upkeep,
);
const { eraseOverdue, eraseOverdueRound } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.upkeep);

const { expireApprovals } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.upkeep);

/** Chains the audit rows written since the last run. */
export async function sealAudit(): Promise<number> {
  return sealAuditLog();
}

/** Removes uploads whose transaction did not commit. */
export async function sweepObjects(): Promise<number> {
  return sweepUnnamedObjects();
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
