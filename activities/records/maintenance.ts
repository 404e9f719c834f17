import { Context } from '@temporalio/activity';
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
import type { FindReferencedKeys, SweepPage } from '../../services/platform/evidence/object-sweep';
import type { Platform } from '../../services/platform/platform';
import type { ObjectArea } from '../../workflows/contracts';
import { MINUTE_MS } from '../../domain/durations';
import { createStopCondition, throwIfCancelled, withHeartbeat } from '../heartbeat';

/** Well below the timeout of the activity. */
const SWEEP_MS = 3 * MINUTE_MS;

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

/** The objects of each area: the beginning of their keys, and which of them records reference. */
const OBJECT_AREAS: Readonly<Record<ObjectArea, { prefix: string; findReferencedKeys: FindReferencedKeys }>> = {
  evidence: { prefix: 'evidence/', findReferencedKeys: findReferencedEvidence },
  lists: { prefix: 'lists/', findReferencedKeys: findReferencedSnapshots },
  business: { prefix: 'org_', findReferencedKeys: findReferencedBusinessObjects },
};

/** Ends what killed processes left unfinished, whose objects are then no longer referenced. */
async function sweepUnfinished(platform: Platform): Promise<void> {
  await sweepListVersions(platform);
  await sweepExports(platform);
}

/** Recurring maintenance. Every activity is idempotent. */
export const createMaintenanceActivities = (platform: Platform) => ({
  /** @returns the number of audit rows chained */
  sealAuditLog: (): Promise<number> => withHeartbeat(() => sealAudit(platform)),
  /** Ends what killed processes left unfinished. */
  sweepRecords: (): Promise<void> => withHeartbeat(() => sweepUnfinished(platform)),
  /** Removes unreferenced objects of an area behind a key, until its time is over. */
  sweepArea: ({ area, after }: { area: ObjectArea; after: string | null }): Promise<SweepPage> =>
    withHeartbeat(() => {
      const { prefix, findReferencedKeys } = OBJECT_AREAS[area];
      const isTimeOver = createStopCondition(SWEEP_MS);
      return sweepObjects(platform, prefix, findReferencedKeys, { after, isTimeOver });
    }),
  /**
   * All areas at once; for workflows started before they were swept in parts.
   * @returns the number of unreferenced objects removed
   */
  sweepUnnamedObjects: (): Promise<number> =>
    withHeartbeat(async () => {
      const { cancellationSignal } = Context.current();
      await sweepUnfinished(platform);
      let total = 0;
      for (const { prefix, findReferencedKeys } of Object.values(OBJECT_AREAS)) {
        const range = { after: null, isTimeOver: () => cancellationSignal.aborted };
        const { removed } = await sweepObjects(platform, prefix, findReferencedKeys, range);
        total += removed;
        // Another attempt has taken over, and begins again.
        throwIfCancelled();
      }
      return total;
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
