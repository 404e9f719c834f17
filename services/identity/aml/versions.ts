import { conflictError, notFoundError } from '../../../domain/errors';
import { INSTALLATION } from '../../../domain/platform/installation';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { removeUnusedVersions } from './version-sweep';

/** Fields of a list that an import writes in addition to its versions. */
export type ListFields = Partial<
  Pick<AmlListRecord, 'title' | 'sourceUrl' | 'etag' | 'lastModified' | 'sourceVersion' | 'fetchedAt' | 'checkedAt'>
>;

const listChanged = () => conflictError('list_changed', 'Another import of the list came first; try again.');

const getAuditScope = ({ organisationId }: AmlListRecord): Scope => ({
  organisationId: organisationId ?? INSTALLATION,
  mode: 'live',
});

type AuditedAction = 'imported' | 'held' | 'confirmed' | 'rejected';

const auditListAction = (
  unit: UnitOfWork,
  list: AmlListRecord,
  actor: string,
  action: AuditedAction,
  versionId: string,
): Promise<void> =>
  unit.audit(getAuditScope(list), { actor, action: `aml_list.${action}`, subject: versionId, fields: ['version'] });

/** Changes the status of a version. @throws AppError 409 if its status has changed meanwhile */
async function moveVersion(
  unit: UnitOfWork,
  versionId: string,
  from: AmlListVersionRecord['status'],
  to: AmlListVersionRecord['status'],
): Promise<void> {
  const moved = await AmlListVersion.updateOne(
    { _id: versionId, status: from },
    { $set: { status: to } },
    { session: unit.mongoSession },
  );
  if (moved.matchedCount === 0) throw listChanged();
}

/** Updates a list as it was read. @throws AppError 409 if another import came first */
async function updateList(unit: UnitOfWork, list: AmlListRecord, fields: Partial<AmlListRecord>): Promise<void> {
  const written = await AmlList.updateOne(
    { _id: list._id, revision: list.revision },
    { $set: fields, $inc: { revision: 1 } },
    { session: unit.mongoSession },
  );
  if (written.matchedCount === 0) throw listChanged();
}

const discardHeldVersions = (unit: UnitOfWork, listId: string, exceptVersionId: string) =>
  AmlListVersion.updateMany(
    { listId, status: 'held', _id: { $ne: exceptVersionId } },
    { $set: { status: 'discarded' } },
    { session: unit.mongoSession },
  );

/** Puts a version into use, and enqueues the workflow that determines its effect on monitored subjects. */
async function activateVersion(
  unit: UnitOfWork,
  list: AmlListRecord,
  versionId: string,
  fields: ListFields & Pick<AmlListRecord, 'importedAt' | 'checkedAt'>,
): Promise<void> {
  await AmlListVersion.updateMany(
    { listId: list._id, status: 'current', _id: { $ne: versionId } },
    { $set: { status: 'superseded' } },
    { session: unit.mongoSession },
  );
  await discardHeldVersions(unit, list._id, versionId);
  await updateList(unit, list, { failure: null, ...fields, currentVersion: versionId, heldVersion: null });
  unit.start(list.organisationId ?? INSTALLATION, {
    workflow: 'amlListChanged',
    workflowId: workflowIds.amlListChanged(versionId),
    argument: { versionId },
    summary: `New version of ${list.code}`,
  });
}

/**
 * Publishes a stored version, either into use or as held. A version held before is discarded: only the latest response
 * of a source counts.
 * @throws AppError 409 if another import came first
 */
export async function publishVersion(
  platform: Platform,
  list: AmlListRecord,
  versionId: string,
  status: 'current' | 'held',
  { actor, fields }: { actor: string; fields: ListFields },
): Promise<void> {
  await runTransaction(platform, async (unit) => {
    await moveVersion(unit, versionId, 'importing', status);
    if (status === 'current') {
      const at = platform.clock.now();
      await activateVersion(unit, list, versionId, { ...fields, importedAt: at, checkedAt: at });
    } else {
      await discardHeldVersions(unit, list._id, versionId);
      // A held version does not confirm the one in use, which keeps ageing.
      await updateList(unit, list, { ...fields, heldVersion: versionId });
    }
    await auditListAction(unit, list, actor, status === 'current' ? 'imported' : 'held', versionId);
  });
  await removeUnusedVersions(platform, { listId: list._id });
}

/**
 * Records that the version in use was found again, which confirms it as the newest.
 * @param confirmation.publishedAt date stated in the file, which may be newer than that of the version
 * @param confirmation.clearsHeld whether this proves the held version wrong
 * @throws AppError 409 if another import came first
 */
export async function recordUnchanged(
  platform: Platform,
  list: AmlListRecord,
  { fields, publishedAt, clearsHeld }: { fields: ListFields; publishedAt: Date | null; clearsHeld: boolean },
): Promise<void> {
  await runTransaction(platform, async (unit) => {
    if (publishedAt !== null) {
      const options = { session: unit.mongoSession };
      await AmlListVersion.updateOne({ _id: list.currentVersion ?? '' }, { $max: { publishedAt } }, options);
    }
    if (clearsHeld) await discardHeldVersions(unit, list._id, '');
    const heldFields = clearsHeld ? { heldVersion: null } : {};
    await updateList(unit, list, { failure: null, ...fields, ...heldFields, checkedAt: platform.clock.now() });
  });
  await removeUnusedVersions(platform, { listId: list._id });
}

/** Records a response of the source that created no new version. @throws AppError 409 if another import came first */
export const recordFetch = (platform: Platform, list: AmlListRecord, fields: ListFields): Promise<void> =>
  runTransaction(platform, (unit) => updateList(unit, list, { failure: null, ...fields }));

async function getHeldVersion(listId: string): Promise<{ list: AmlListRecord; version: AmlListVersionRecord }> {
  const list = await AmlList.findById(listId).lean<AmlListRecord>();
  const version =
    list?.heldVersion == null ? null : await AmlListVersion.findById(list.heldVersion).lean<AmlListVersionRecord>();
  if (list === null || version === null) throw notFoundError('held version of this list');
  return { list, version };
}

/**
 * Puts a held version into use. Its age counts from the source's last confirmation that it is the newest.
 * @throws AppError 404 if no version is held, 409 if another import came first
 */
export async function confirmHeldVersion(platform: Platform, listId: string, actor = 'system'): Promise<string> {
  const { list, version } = await getHeldVersion(listId);
  const lastFetchedAt = list.sourceVersion === version._id ? list.fetchedAt : null;
  await runTransaction(platform, async (unit) => {
    await moveVersion(unit, version._id, 'held', 'current');
    await activateVersion(unit, list, version._id, {
      importedAt: platform.clock.now(),
      checkedAt: lastFetchedAt ?? version.importedAt,
    });
    await auditListAction(unit, list, actor, 'confirmed', version._id);
  });
  await removeUnusedVersions(platform, { listId });
  return version._id;
}

/**
 * Rejects a held version. The same content from the source is not held again.
 * @throws AppError 404 if no version is held, 409 if another import came first
 */
export async function rejectHeldVersion(platform: Platform, listId: string, actor = 'system'): Promise<string> {
  const { list, version } = await getHeldVersion(listId);
  await runTransaction(platform, async (unit) => {
    await moveVersion(unit, version._id, 'held', 'rejected');
    await updateList(unit, list, { heldVersion: null });
    await auditListAction(unit, list, actor, 'rejected', version._id);
  });
  await removeUnusedVersions(platform, { listId });
  return version._id;
}
