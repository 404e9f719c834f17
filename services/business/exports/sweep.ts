import type { QueryFilter } from 'mongoose';
import { Export } from '../../../models/business/exports/export';
import type { ExportRecord } from '../../../models/business/exports/export';
import type { Platform } from '../../platform/platform';
import { isWorkflowLost } from '../../platform/transactions/lost-workflows';
import { workflowIds } from '../../../workflows/contracts';
import { clearExport, EXPORT_FOLDER, failExport, removeExpiredFile } from './progress';
import { DAY_MS, HOUR_MS } from '../../../domain/durations';

/** Time without progress after which Temporal is asked whether the workflow of an export still runs. */
const ABANDONED_AFTER_MS = DAY_MS;
/** Time after which the sweeper removes what the workflow of an export has not removed itself. */
const UNCLEARED_AFTER_MS = HOUR_MS;

const isExportKey = (key: string): boolean => key.includes(`/${EXPORT_FOLDER}/`);

/** The ids of exports whose objects have not been removed. */
async function findUncleared(filter: QueryFilter<ExportRecord>): Promise<string[]> {
  const found = await Export.find({ ...filter, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>();
  return found.map(({ _id }) => _id);
}

/**
 * Fails exports that no workflow will write. Others wait, for as long as no worker of the pool runs: their workflow goes
 * on when one is started.
 */
async function failAbandoned(platform: Platform, now: number): Promise<void> {
  const abandoned = {
    state: { $in: ['queued', 'running'] as const },
    updatedAt: { $lt: new Date(now - ABANDONED_AFTER_MS) },
  };
  for (const exportId of await findUncleared(abandoned)) {
    if (!(await isWorkflowLost(platform, workflowIds.dataExport(exportId)))) continue;
    await failExport(platform, exportId, 'abandoned');
    await clearExport(platform, exportId);
  }
}

/** Uploads started by an attempt that ended before recording them. */
async function abortOrphanedUploads(platform: Platform, now: number): Promise<void> {
  for await (const { key, uploadId, startedAt: begunAt } of platform.objects.listUploads('org_')) {
    if (!isExportKey(key) || begunAt.getTime() > now - ABANDONED_AFTER_MS) continue;
    const referenced = await Export.exists({ objectKey: key, uploadId, state: 'running' });
    if (referenced === null) await platform.objects.abortUpload(key, uploadId);
  }
}

/** Removes expired files, and the objects of ended exports. @returns the number of cleared exports */
export async function sweepExports(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  await failAbandoned(platform, now);
  const expired = { state: 'completed' as const, expiresAt: { $lte: new Date(now) } };
  const uncleared = {
    state: { $in: ['failed', 'cancelled'] as const },
    updatedAt: { $lt: new Date(now - UNCLEARED_AFTER_MS) },
  };
  const expiredIds = await findUncleared(expired);
  const unclearedIds = await findUncleared(uncleared);
  for (const exportId of expiredIds) await removeExpiredFile(platform, exportId);
  for (const exportId of unclearedIds) await clearExport(platform, exportId);
  await abortOrphanedUploads(platform, now);
  return expiredIds.length + unclearedIds.length;
}

/** For the sweeper: returns the keys that an export refers to, and all keys that are not of exports. */
export async function findReferencedExportObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const referenced = await Export.find(
    { objectKey: { $in: keys.filter(isExportKey) }, clearedAt: null },
    { objectKey: 1 },
  ).lean();
  return new Set([
    ...keys.filter((key) => !isExportKey(key)),
    ...referenced.flatMap(({ objectKey }) => objectKey ?? []),
  ]);
}
