import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import type { Platform } from '../../platform/platform';
import { DAY_MS } from '../../../domain/durations';

/** An import that has not ended within this time is abandoned: the longest takes minutes. */
const ABANDONED_AFTER_MS = DAY_MS;

/** The versions to clean up: of one list, or of all. */
interface VersionFilter {
  listId?: string;
}

/** Removes the entries of a version and keeps its counts. */
async function pruneVersion(platform: Platform, version: AmlListVersionRecord): Promise<void> {
  await platform.objects.remove(version.objectKey);
  await AmlListVersion.updateOne({ _id: version._id }, { $set: { pruned: true } });
}

const removeChanges = (version: AmlListVersionRecord) => AmlListChange.deleteMany({ versionId: version._id });

/** The version before the one in use is not pruned, because a reader may still be loading it. */
async function pruneSuperseded(platform: Platform, filter: VersionFilter): Promise<void> {
  const superseded = await AmlListVersion.find({ ...filter, status: 'superseded', pruned: { $ne: true } })
    .sort({ listId: 1, _id: -1 })
    .lean<AmlListVersionRecord[]>();
  for (const [at, version] of superseded.entries()) {
    if (superseded[at - 1]?.listId === version.listId) await pruneVersion(platform, version);
  }
}

/**
 * Removes unused versions with everything stored for them. The record of a version is removed last, so that an
 * interrupted clean-up is resumed.
 */
export async function removeUnusedVersions(platform: Platform, filter: VersionFilter = {}): Promise<void> {
  await pruneSuperseded(platform, filter);
  const rejected = { ...filter, status: 'rejected', pruned: { $ne: true } } as const;
  for (const version of await AmlListVersion.find(rejected).lean<AmlListVersionRecord[]>()) {
    await removeChanges(version);
    await pruneVersion(platform, version);
  }
  const discarded = { ...filter, status: 'discarded' } as const;
  for (const version of await AmlListVersion.find(discarded).lean<AmlListVersionRecord[]>()) {
    await removeChanges(version);
    await platform.objects.remove(version.objectKey);
    await AmlListVersion.deleteOne({ _id: version._id });
  }
}

/** Discards a version whose import failed, unless it came into use after all. */
export async function discardVersion(platform: Platform, version: AmlListVersionRecord): Promise<void> {
  await AmlListVersion.updateOne({ _id: version._id, status: 'importing' }, { $set: { status: 'discarded' } });
  await removeUnusedVersions(platform, { listId: version.listId });
}

/** Removes what abandoned imports left. Run by a Schedule; safe to run concurrently. */
export async function sweepListVersions(platform: Platform, filter: VersionFilter = {}): Promise<void> {
  const cutoff = new Date(platform.clock.now().getTime() - ABANDONED_AFTER_MS);
  await AmlListVersion.updateMany(
    { ...filter, status: 'importing', importedAt: { $lt: cutoff } },
    { $set: { status: 'discarded' } },
  );
  await removeUnusedVersions(platform, filter);
}

/** The snapshot keys that belong to a version. */
export async function findReferencedSnapshots(keys: readonly string[]): Promise<ReadonlySet<string>> {
  const versions = await AmlListVersion.find(
    {
      objectKey: { $in: keys },
      status: { $in: ['importing', 'current', 'held', 'superseded'] },
      pruned: { $ne: true },
    },
    { objectKey: 1 },
  ).lean<Pick<AmlListVersionRecord, 'objectKey'>[]>();
  return new Set(versions.map(({ objectKey }) => objectKey));
}
