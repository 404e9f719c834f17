import { Export } from '../../../models/business/exports/export';
import type { ExportRecord } from '../../../models/business/exports/export';
import type { Platform } from '../../platform/platform';
import { clearExport, EXPORT_FOLDER, failExport } from './progress';

const HOUR_MS = 3_600_000;
/** No export that lives says nothing for so long: its workflow was terminated. */
const DEAD_AFTER_MS = 24 * HOUR_MS;
/** The workflow of an export clears up by itself; what it could not is cleared after so long. */
const LEFT_AFTER_MS = HOUR_MS;

const isOurs = (key: string): boolean => key.includes(`/${EXPORT_FOLDER}/`);

const idsOf = (records: readonly Pick<ExportRecord, '_id'>[]): string[] => records.map(({ _id }) => _id);

async function failDead(platform: Platform, now: number): Promise<void> {
  const dead = { state: { $in: ['queued', 'running'] as const }, updatedAt: { $lt: new Date(now - DEAD_AFTER_MS) } };
  const found = await Export.find({ ...dead, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>();
  for (const exportId of idsOf(found)) {
    await failExport(platform, exportId, 'abandoned');
    await clearExport(platform, exportId);
  }
}

/** Uploads that were begun by an attempt that did not live to record them. */
async function abortUnnamed(platform: Platform, now: number): Promise<void> {
  for await (const { key, uploadId, begunAt } of platform.objects.listUploads('org_')) {
    if (!isOurs(key) || begunAt.getTime() > now - DEAD_AFTER_MS) continue;
    const named = await Export.exists({ objectKey: key, uploadId, state: 'running' });
    if (named === null) await platform.objects.abortUpload(key, uploadId);
  }
}

/**
 * Removes files whose time is over and what dead exports left in the object store.
 * @returns how many exports were cleared
 */
export async function sweepExports(platform: Platform): Promise<number> {
  const now = platform.clock.now().getTime();
  await failDead(platform, now);
  const over = { state: 'completed' as const, expiresAt: { $lte: new Date(now) } };
  const left = { state: { $in: ['failed', 'cancelled'] as const }, updatedAt: { $lt: new Date(now - LEFT_AFTER_MS) } };
  const found = [
    ...(await Export.find({ ...over, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>()),
    ...(await Export.find({ ...left, clearedAt: null }, { _id: 1 }).lean<Pick<ExportRecord, '_id'>[]>()),
  ];
  for (const exportId of idsOf(found)) await clearExport(platform, exportId);
  await abortUnnamed(platform, now);
  return found.length;
}

/** For the sweeper: of these keys, those an export names, or that are no exports and so not ours to judge. */
export async function namedExportObjects(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const named = await Export.find(
    { objectKey: { $in: keys.filter(isOurs) }, clearedAt: null },
    { objectKey: 1 },
  ).lean();
  return new Set([...keys.filter((key) => !isOurs(key)), ...named.flatMap(({ objectKey }) => objectKey ?? [])]);
}
