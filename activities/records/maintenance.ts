import { Evidence } from '../../models/platform/evidence/evidence';
import { namedLogoObjects } from '../../services/business/settings/company-logo';
import { namedExportObjects, sweepExports } from '../../services/business/exports/sweep';
import { namedRenditionObjects } from '../../services/business/documents/renditions';
import { namedSnapshots, sweepListVersions } from '../../services/identity/aml/version-sweep';
import { sealAudit } from '../../services/platform/audit/sealing';
import { sweepObjects } from '../../services/platform/evidence/object-sweep';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 10_000;

async function namedEvidence(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await Evidence.find({ objectKey: { $in: keys }, deletedAt: null }, { objectKey: 1 }).lean();
  return new Set(rows.map((row) => row.objectKey));
}

/** Business objects lie under their organisation's id; each kind judges its own and lets the others pass. */
async function namedBusinessObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const judges = [namedRenditionObjects, namedExportObjects, namedLogoObjects];
  const named = await Promise.all(judges.map((judge) => judge(keys)));
  return new Set(keys.filter((key) => named.every((set) => set.has(key))));
}

/** Recurring upkeep of the records; both activities may run twice without harm. */
export const createMaintenanceActivities = (platform: Platform) => ({
  /** @returns how many audit rows were chained. */
  sealAuditLog: (): Promise<number> => withHeartbeat(HEARTBEAT_MS, () => sealAudit(platform)),
  /** @returns how many uploads without a record were removed. */
  sweepUnnamedObjects: (): Promise<number> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      await sweepListVersions(platform);
      await sweepExports(platform);
      return (
        (await sweepObjects(platform, 'evidence/', namedEvidence)) +
        (await sweepObjects(platform, 'lists/', namedSnapshots)) +
        (await sweepObjects(platform, 'org_', namedBusinessObjects))
      );
    }),
});

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;
