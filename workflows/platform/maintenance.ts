import { proxyActivities } from '@temporalio/workflow';
import type { ErasureActivities } from '../../activities/records/erasure';
import type { IdentityRecordsActivities } from '../../activities/records/identity';
import type { MaintenanceActivities } from '../../activities/records/maintenance';
import { ACTIVITY_OPTIONS } from '../contracts';

const { sealAuditLog, sweepUnnamedObjects } = proxyActivities<MaintenanceActivities>(ACTIVITY_OPTIONS.upkeep);
const { eraseOverdue } = proxyActivities<ErasureActivities>(ACTIVITY_OPTIONS.upkeep);

const { expireApprovals } = proxyActivities<IdentityRecordsActivities>(ACTIVITY_OPTIONS.upkeep);

/** Chains audit rows written since the last run. */
export async function sealAudit(): Promise<number> {
  return sealAuditLog();
}

/** Removes uploads whose transaction never committed. */
export async function sweepObjects(): Promise<number> {
  return sweepUnnamedObjects();
}

/** Erases records whose retention time is over. */
export async function applyRetention(): Promise<number> {
  return eraseOverdue();
}

/** Lets approvals lapse whose time is over. */
export async function lapseApprovals(): Promise<number> {
  return expireApprovals();
}
