import { Export } from '../../../models/business/exports/export';
import type { ExportRecord } from '../../../models/business/exports/export';
import type { Platform } from '../../platform/platform';
import { clearExport, EXPORT_FOLDER, failExport } from './progress';
import { DAY_MS, HOUR_MS } from '../../../domain/durations';

/** No export that lives says nothing for so long: its workflow was terminated. */
const ABANDONED_AFTER_MS = DAY_MS;
/** The workflow of an export clears up by itself; what it could not is cleared after so long. */
const UNCLEARED_AFTER_MS = HOUR_MS;

const isExportKey = (key: string): boolean => key.includes(`/${EXPORT_FOLDER}/`);

const listIds = (records: readonly Pick<ExportRecord, '_id'>[]): string[] => records.map(({ _id }) => _id);

async function failAbandoned(platform: Platform, now: number): Promise<void> {
  const abandoned = {
    state: { $in: ['queued', 'running'] as const },
    updatedAt: { $lt: new Date(now - ABANDONED_AFTER_MS) },
  };
  const found = await Export.find({ ...abandoned, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>();
  for (const exportId of listIds(found)) {
    await failExport(platform, exportId, 'abandoned');
    await clearExport(platform, exportId);
  }
}

/** Uploads that were begun by an attempt that did not live to record them. */
async function abortOrphanedUploads(platform: Platform, now: number): Promise<void> {
  for await (const { key, uploadId, startedAt: begunAt } of platform.objects.listUploads('org_')) {
    if (!isExportKey(key) || begunAt.getTime() > now - ABANDONED_AFTER_MS) continue;
    const referenced = await Export.exists({ objectKey: key, uploadId, state: 'running' });
    if (referenced === null) await platform.objects.abortUpload(key, uploadId);
  }
}

/**
 * Removes files whose time is over and what dead exports left in the object store.
 * @returns how many exports were cleared
 */
export async function sweepExports(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  await failAbandoned(platform, now);
  const expired = { state: 'completed' as const, expiresAt: { $lte: new Date(now) } };
  const uncleared = {
    state: { $in: ['failed', 'cancelled'] as const },
    updatedAt: { $lt: new Date(now - UNCLEARED_AFTER_MS) },
  };
  const found = [
    ...(await Export.find({ ...expired, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>()),
    ...(await Export.find({ ...uncleared, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>()),
  ];
  for (const exportId of listIds(found)) await clearExport(platform, exportId);
  await abortOrphanedUploads(platform, now);
  return found.length;
}

/** For the sweeper: of these keys, those an export names, or that are no exports and so not ours to judge. */
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
