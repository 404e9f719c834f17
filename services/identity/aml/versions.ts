import { conflict, notFound } from '../../../domain/errors';
import { AmlList } from '../../../models/identity/aml/aml-list';
import type { AmlListRecord } from '../../../models/identity/aml/aml-list';
import { AmlListVersion } from '../../../models/identity/aml/aml-list-version';
import type { AmlListVersionRecord } from '../../../models/identity/aml/aml-list-version';
import { workflowIds } from '../../../workflows/contracts';
import type { Platform, Scope } from '../../platform/platform';
import { transact } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { clearAway } from './version-sweep';

/** Under whose name the installation's own lists are audited, and their workflows run. */
export const INSTALLATION = 'installation';

/** Fields of a list that an import writes beside its versions. */
export type ListFields = Partial<
  Pick<AmlListRecord, 'title' | 'sourceUrl' | 'etag' | 'lastModified' | 'sourceVersion' | 'fetchedAt' | 'checkedAt'>
>;

const changedMeanwhile = () => conflict('list_changed', 'Another import of the list came first; try again.');

const auditScope = ({ organisationId }: AmlListRecord): Scope => ({
  organisationId: organisationId ?? INSTALLATION,
  mode: 'live',
});

type Told = 'imported' | 'held' | 'confirmed' | 'rejected';

const tell = (unit: UnitOfWork, list: AmlListRecord, actor: string, what: Told, versionId: string): Promise<void> =>
  unit.audit(auditScope(list), { actor, action: `aml_list.${what}`, subject: versionId, fields: ['version'] });

/** Moves a version on. @throws AppError 409 where it is no longer what it was */
async function move(
  unit: UnitOfWork,
  versionId: string,
  from: AmlListVersionRecord['status'],
  to: AmlListVersionRecord['status'],
): Promise<void> {
  const moved = await AmlListVersion.updateOne(
    { _id: versionId, status: from },
    { $set: { status: to } },
    { session: unit.session },
  );
  if (moved.matchedCount === 0) throw changedMeanwhile();
}

/** Writes a list as it was read before. @throws AppError 409 where another import came first */
async function write(unit: UnitOfWork, list: AmlListRecord, fields: Partial<AmlListRecord>): Promise<void> {
  const written = await AmlList.updateOne(
    { _id: list._id, revision: list.revision },
    { $set: fields, $inc: { revision: 1 } },
    { session: unit.session },
  );
  if (written.matchedCount === 0) throw changedMeanwhile();
}

const giveUpHeld = (unit: UnitOfWork, listId: string, but: string) =>
  AmlListVersion.updateMany(
    { listId, status: 'held', _id: { $ne: but } },
    { $set: { status: 'discarded' } },
    { session: unit.session },
  );

/** Makes a version the one in use, and owes a look at what it means for monitored subjects. */
async function makeCurrent(
  unit: UnitOfWork,
  list: AmlListRecord,
  versionId: string,
  fields: ListFields & Pick<AmlListRecord, 'importedAt' | 'checkedAt'>,
): Promise<void> {
  await AmlListVersion.updateMany(
    { listId: list._id, status: 'current', _id: { $ne: versionId } },
    { $set: { status: 'superseded' } },
    { session: unit.session },
  );
  await giveUpHeld(unit, list._id, versionId);
  await write(unit, list, { failure: null, ...fields, currentVersion: versionId, heldVersion: null });
  await unit.start(list.organisationId ?? INSTALLATION, {
    workflow: 'amlListChanged',
    workflowId: workflowIds.amlListChanged(versionId),
    argument: { versionId },
    summary: `New version of ${list.code}`,
  });
}

/**
 * Puts a stored version into use, at once and whole, or holds it. Whatever was held before is given up: what a source
 * said last is all that counts of it.
 * @throws AppError 409 where another import came first
 */
export async function publish(
  platform: Platform,
  list: AmlListRecord,
  versionId: string,
  status: 'current' | 'held',
  { actor, fields }: { actor: string; fields: ListFields },
): Promise<void> {
  await transact(platform, async (unit) => {
    await move(unit, versionId, 'importing', status);
    if (status === 'current') {
      const at = platform.clock.now();
      await makeCurrent(unit, list, versionId, { ...fields, importedAt: at, checkedAt: at });
    } else {
      await giveUpHeld(unit, list._id, versionId);
      // A held version says nothing of the one in use, which goes on growing old.
      await write(unit, list, { ...fields, heldVersion: versionId });
    }
    await tell(unit, list, actor, status === 'current' ? 'imported' : 'held', versionId);
  });
  await clearAway(platform, { listId: list._id });
}

/**
 * Notes that the version in use has been found again, which makes it the newest.
 * @param clearsHeld whether what is held is thereby known to be wrong
 * @throws AppError 409 where another import came first
 */
export async function noteUnchanged(
  platform: Platform,
  list: AmlListRecord,
  fields: ListFields,
  clearsHeld: boolean,
): Promise<void> {
  await transact(platform, async (unit) => {
    if (clearsHeld) await giveUpHeld(unit, list._id, '');
    const held = clearsHeld ? { heldVersion: null } : {};
    await write(unit, list, { failure: null, ...fields, ...held, checkedAt: platform.clock.now() });
  });
  await clearAway(platform, { listId: list._id });
}

/** Notes what a source answered that made no new version. @throws AppError 409 where another import came first */
export const noteAnswer = (platform: Platform, list: AmlListRecord, fields: ListFields): Promise<void> =>
  transact(platform, (unit) => write(unit, list, { failure: null, ...fields }));

async function heldVersion(listId: string): Promise<{ list: AmlListRecord; version: AmlListVersionRecord }> {
  const list = await AmlList.findById(listId).lean<AmlListRecord>();
  const version =
    list?.heldVersion == null ? null : await AmlListVersion.findById(list.heldVersion).lean<AmlListVersionRecord>();
  if (list === null || version === null) throw notFound('held version of that list');
  return { list, version };
}

/**
 * Lets a held version into use. It is as old as its source's last word that it is the newest.
 * @throws AppError 404 where none is held, 409 where an import came first
 */
export async function confirmHeld(platform: Platform, listId: string, actor = 'system'): Promise<string> {
  const { list, version } = await heldVersion(listId);
  const saidLast = list.sourceVersion === version._id ? list.fetchedAt : null;
  await transact(platform, async (unit) => {
    await move(unit, version._id, 'held', 'current');
    await makeCurrent(unit, list, version._id, {
      importedAt: platform.clock.now(),
      checkedAt: saidLast ?? version.importedAt,
    });
    await tell(unit, list, actor, 'confirmed', version._id);
  });
  await clearAway(platform, { listId });
  return version._id;
}

/**
 * Throws a held version away. A source that says the same again is not held again.
 * @throws AppError 404 where none is held, 409 where an import came first
 */
export async function rejectHeld(platform: Platform, listId: string, actor = 'system'): Promise<string> {
  const { list, version } = await heldVersion(listId);
  await transact(platform, async (unit) => {
    await move(unit, version._id, 'held', 'rejected');
    await write(unit, list, { heldVersion: null });
    await tell(unit, list, actor, 'rejected', version._id);
  });
  await clearAway(platform, { listId });
  return version._id;
}
