import { notFoundError } from '../../../domain/errors';
import type { IndexedEntry } from '../../../domain/identity/aml/list-index';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListChange } from '../../../models/identity/aml/aml-list-change';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import type { Platform } from '../../platform/platform';
import { compressSnapshot, loadSnapshot, readSnapshot } from './snapshot';

/** A version of a list, as needed to determine its effect. */
export interface ListVersionContext {
  version: AmlListVersionRecord;
  list: AmlListRecord;
}

/** The version that a workflow processes. Not for requests: it ignores the scope. @throws AppError 404 */
export async function getListVersionContext(versionId: string): Promise<ListVersionContext> {
  const version = await AmlListVersion.findById(versionId).lean<AmlListVersionRecord>();
  const list = version === null ? null : await AmlList.findById(version.listId).lean<AmlListRecord>();
  if (version === null || list === null) throw notFoundError('list version');
  return { version, list };
}

/**
 * The snapshot with the entries of a version. If the snapshot was removed because later versions followed, such as while
 * no worker ran, it is that of the current version, against which subjects are screened.
 */
async function loadEntries(platform: Platform, { version, list }: ListVersionContext): Promise<Buffer> {
  if (version.pruned !== true) return loadSnapshot(platform, version.objectKey);
  const current = await AmlListVersion.findById(list.currentVersion).lean<AmlListVersionRecord>();
  if (current === null) throw notFoundError('list version');
  return loadSnapshot(platform, current.objectKey);
}

/** The entries that a version added or changed, as a snapshot; all entries of a first version. */
export async function buildNewEntriesSnapshot(platform: Platform, context: ListVersionContext): Promise<Buffer> {
  const { version } = context;
  const snapshot = await loadEntries(platform, context);
  const rows = await AmlListChange.find({ versionId: version._id, kind: { $ne: 'removed' } }, { entryId: 1 }).lean();
  const { added, changed } = version.differences;
  if (rows.length === 0 && added + changed > 0) return snapshot;
  const changedIds = new Set(rows.map(({ entryId }) => entryId));
  const entries: IndexedEntry[] = [];
  for await (const entry of readSnapshot(snapshot)) if (changedIds.has(entry.id)) entries.push(entry);
  return compressSnapshot(entries);
}

/** Records how many monitored subjects a version of a list concerned. */
export async function recordImpact(versionId: string, impact: AmlListVersionRecord['impact']): Promise<void> {
  await AmlListVersion.updateOne({ _id: versionId }, { $set: { impact } });
}
