import { Evidence } from '../../models/platform/evidence';
import { namedLogoObjects } from '../../services/business/configuration/company-logo';
import { namedRenditionObjects } from '../../services/business/renditions';
import { namedSnapshots, sweepListVersions } from '../../services/identity/aml/version-sweep';
import { sealAudit } from '../../services/platform/audit';
import { sweepObjects } from '../../services/platform/object-sweep';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 10_000;

async function namedEvidence(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await Evidence.find({ objectKey: { $in: keys }, deletedAt: null }, { objectKey: 1 }).lean();
  return new Set(rows.map((row) => row.objectKey));
}

/** Recurring upkeep of the records; both activities may run twice without harm. */
export const createMaintenanceActivities = (platform: Platform) => ({
  /** @returns how many audit rows were chained. */
  sealAuditLog: (): Promise<number> => withHeartbeat(HEARTBEAT_MS, () => sealAudit(platform)),
  /** @returns how many uploads without a record were removed. */
  sweepUnnamedObjects: (): Promise<number> =>
    withHeartbeat(HEARTBEAT_MS, async () => {
      await sweepListVersions(platform);
      return (
        (await sweepObjects(platform, 'evidence/', namedEvidence)) +
        (await sweepObjects(platform, 'lists/', namedSnapshots)) +
        // Business objects lie under their organisation's id.
        (await sweepObjects(platform, 'org_', namedRenditionObjects)) +
        (await sweepObjects(platform, 'org_', namedLogoObjects))
      );
    }),
});

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;
