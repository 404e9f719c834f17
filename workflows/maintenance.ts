import { proxyActivities } from '@temporalio/workflow';
import type { MaintenanceActivities } from '../activities/records/maintenance';
import { ACTIVITY_OPTIONS } from './contracts';

const { sealAuditLog, sweepUnnamedObjects } = proxyActivities<MaintenanceActivities>(ACTIVITY_OPTIONS.upkeep);

/** Chains audit rows written since the last run. */
export async function sealAudit(): Promise<number> {
  return sealAuditLog();
}

/** Removes uploads whose transaction never committed. */
export async function sweepObjects(): Promise<number> {
  return sweepUnnamedObjects();
}
