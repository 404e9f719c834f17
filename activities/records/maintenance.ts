import { Evidence } from '../../models/platform/evidence/evidence';
import { findReferencedLogoObjects } from '../../services/business/settings/company-logo';
import { findReferencedExportObjects, sweepExports } from '../../services/business/exports/sweep';
import { findReferencedRenditionObjects } from '../../services/business/documents/document-renditions';
import { findReferencedSnapshots, sweepListVersions } from '../../services/identity/aml/version-sweep';
import { BLIND_FIELDS } from '../../services/identity/erasure/blind-fields';
import { sweepErasureLog } from '../../services/identity/erasure/erasure-log';
import { countStatisticsDays } from '../../services/identity/statistics/count-days';
import { sealAudit } from '../../services/platform/audit/sealing';
import { rotateWrappingKeys } from '../../services/platform/evidence/key-rotation';
import { sweepObjects } from '../../services/platform/evidence/object-sweep';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

async function findReferencedEvidence(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const rows = await Evidence.find({ objectKey: { $in: keys }, deletedAt: null }, { objectKey: 1 }).lean();
  return new Set(rows.map((row) => row.objectKey));
}

/** Object keys of business records begin with the organisation id; each function recognises its own kind of keys. */
async function findReferencedBusinessObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const lookups = [findReferencedRenditionObjects, findReferencedExportObjects, findReferencedLogoObjects];
  const referencedSets = await Promise.all(lookups.map((lookUp) => lookUp(keys)));
  return new Set(keys.filter((key) => referencedSets.every((set) => set.has(key))));
}

/** Recurring maintenance. Every activity is idempotent. */
export const createMaintenanceActivities = (platform: Platform) => ({
  /** @returns the number of audit rows chained */
  sealAuditLog: (): Promise<number> => withHeartbeat(() => sealAudit(platform)),
  /** @returns the number of unreferenced objects removed */
  sweepUnnamedObjects: (): Promise<number> =>
    withHeartbeat(async () => {
      await sweepListVersions(platform);
      await sweepExports(platform);
      return (
        (await sweepObjects(platform, 'evidence/', findReferencedEvidence)) +
        (await sweepObjects(platform, 'lists/', findReferencedSnapshots)) +
        (await sweepObjects(platform, 'org_', findReferencedBusinessObjects))
      );
    }),
  /** @returns the number of wrapping keys that were removed */
  replaceWrappingKeys: (): Promise<number> =>
    withHeartbeat(async () => {
      const rotation = await rotateWrappingKeys(platform, BLIND_FIELDS);
      await sweepErasureLog(platform);
      platform.logger.info({ rotation }, 'Wrapping keys were checked');
      return rotation.removed;
    }),
  /** @returns the number of days whose sessions or checks were counted */
  countDays: (): Promise<number> => withHeartbeat(() => countStatisticsDays(platform)),
});

export type MaintenanceActivities = ReturnType<typeof createMaintenanceActivities>;
