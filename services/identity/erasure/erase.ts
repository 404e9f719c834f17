import { notFoundError } from '../../../domain/errors';
import type { ErasureReason, PersonRecordKind } from '../../../domain/identity/erasure/erasure';
import { newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { Erasure } from '../../../models/identity/erasure/erasure';
import type { ErasureRecord } from '../../../models/identity/erasure/erasure';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { workflowIds } from '../../../workflows/contracts';
import { destroyDataKeys, removeEvidenceObjects } from '../../platform/evidence/evidence';
import { awaitRecord } from '../../platform/await-record';
import { readCursorPage } from '../../platform/lists/cursor-pages';
import type { CursorPage, CursorPageRequest } from '../../platform/lists/cursor-pages';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
import { runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { CollectionErasure } from './collection-erasure';
import { ERASED_COLLECTIONS } from './collections';
import { RECORD_CLOSERS } from './person-records';

export interface ErasureRequest {
  kind: PersonRecordKind;
  recordId: string;
  reason: ErasureReason;
  /** Id of the API key or user, or `system`. */
  actor: string;
  /** Id of the receipt, if the erasure is repeated after a restoration. */
  erasureId?: string;
}

/** Hashes of the files for the receipt, read before the rows are removed. */
async function listEvidenceHashes(
  unit: UnitOfWork,
  scope: Scope,
  ids: readonly string[],
): Promise<ErasureRecord['evidence']> {
  const rows = await Evidence.find({ ...toScope(scope), recordId: { $in: ids } }, { sha256: 1 })
    .sort({ _id: 1 })
    .session(unit.mongoSession)
    .lean<{ _id: string; sha256: string }[]>();
  return rows.map(({ _id, sha256 }) => ({ id: _id, sha256 }));
}

/** Starts the workflow that removes what is left of an erased record. */
export const startErasureWorkflow = (unit: UnitOfWork, erasure: ErasureRecord): void =>
  unit.start(erasure.organisationId, {
    workflow: 'erasure',
    workflowId: workflowIds.erasure(erasure._id),
    argument: { erasureId: erasure._id },
    summary: `Erasure of ${erasure.recordId} (${erasure.reason})`,
    searchAttributes: { status: 'erasing', recordId: erasure.recordId },
  });

/**
 * Starts the erasure of a person record. One transaction marks the record deleted, destroys its data key, records the
 * erasure with its audit row and event, cancels the record's workflows and enqueues the workflow that removes the
 * remaining data. After its commit the record cannot be restored.
 *
 * @throws AppError 404 if the record does not exist in this scope or was erased before; 409 for a part of another
 * record
 */
export const beginErasure = (platform: Platform, scope: Scope, request: ErasureRequest): Promise<ErasureRecord> =>
  runTransaction(platform, async (unit) => {
    const { kind, recordId, reason, actor, erasureId = newId('era') } = request;
    const closed = await RECORD_CLOSERS[kind](unit, scope, recordId, erasureId);
    if (closed === null) throw notFoundError(kind);
    const record: ErasureRecord = {
      _id: erasureId,
      ...toScope(scope),
      kind,
      recordId,
      ids: closed.ids,
      reason,
      actor,
      status: 'erasing',
      requestedAt: platform.clock.now(),
      completedAt: null,
      evidence: await listEvidenceHashes(unit, scope, closed.ids),
      dataKeys: await destroyDataKeys(unit, scope, [recordId]),
      objects: null,
      collections: [],
    };
    await Erasure.create([record], { session: unit.mongoSession });
    await unit.audit(scope, { actor, action: `${kind}.deleted`, subject: recordId, reason });
    for (const workflowId of closed.workflowIds) unit.cancel(scope.organisationId, workflowId);
    startErasureWorkflow(unit, record);
    return record;
  });

/** Erases a session with all its parts; see {@link beginErasure}. */
export const eraseSession = (
  platform: Platform,
  scope: Scope,
  sessionId: string,
  by: { reason: ErasureReason; actor: string },
): Promise<ErasureRecord> => beginErasure(platform, scope, { kind: 'session', recordId: sessionId, ...by });

/** The erasure of a workflow. Not for requests: it ignores the scope. */
export async function getErasureForWorkflow(erasureId: string): Promise<ErasureRecord> {
  const found = await Erasure.findById(erasureId).lean<ErasureRecord>();
  if (found === null) throw notFoundError('erasure');
  return found;
}

/** Erases one collection and records the result in one transaction; does nothing if it was erased before. */
const eraseCollection = (erasure: ErasureRecord, { collection, erase }: CollectionErasure): Promise<void> =>
  withMongoTransaction(async (mongoSession) => {
    const pendingFilter = { _id: erasure._id, 'collections.name': { $ne: collection } };
    if ((await Erasure.exists(pendingFilter).session(mongoSession)) === null) return;
    const rows = await erase(erasure, mongoSession);
    await Erasure.updateOne(
      pendingFilter,
      { $push: { collections: { name: collection, ...rows } } },
      { session: mongoSession },
    );
  });

/**
 * Removes the rows of an erased record, one collection at a time; a repeated call resumes where the last one stopped.
 */
export async function eraseRows(erasureId: string): Promise<void> {
  const erasure = await getErasureForWorkflow(erasureId);
  for (const entry of ERASED_COLLECTIONS) await eraseCollection(erasure, entry);
}

/** Removes the objects of an erased record, which are unreadable since its data key was destroyed. */
export async function eraseObjects(platform: Platform, erasureId: string): Promise<void> {
  const erasure = await getErasureForWorkflow(erasureId);
  if (erasure.objects !== null) return;
  await removeEvidenceObjects(platform, erasure, erasure.recordId);
  // An interrupted pass has counted too few objects: each stored file is one object.
  await Erasure.updateOne({ _id: erasureId }, { $set: { objects: erasure.evidence.length } });
}

/** Completes the receipt once. */
export const completeErasure = (platform: Platform, erasureId: string): Promise<void> =>
  runTransaction(platform, async (unit) => {
    const completedAt = platform.clock.now();
    const erasure = await Erasure.findOneAndUpdate(
      { _id: erasureId, status: 'erasing' },
      { $set: { status: 'completed', completedAt } },
      { session: unit.mongoSession },
    ).lean<ErasureRecord>();
    if (erasure === null) return;
    await unit.audit(erasure, { actor: 'system', action: 'erasure.completed', subject: erasureId });
  });

/** @throws AppError 404, also for an erasure of another organisation or mode */
export async function getErasure(scope: Scope, id: string): Promise<ErasureRecord> {
  const found = await Erasure.findOne({ _id: id, ...toScope(scope) }).lean<ErasureRecord>();
  if (found === null) throw notFoundError('erasure');
  return found;
}

export interface ErasureFilter {
  kinds?: readonly PersonRecordKind[] | undefined;
  statuses?: readonly ErasureRecord['status'][] | undefined;
  recordId?: string | undefined;
}

/** Receipts, newest first. */
export const listErasures = (
  scope: Scope,
  { kinds, statuses, recordId }: ErasureFilter,
  page: CursorPageRequest,
): Promise<CursorPage<ErasureRecord>> =>
  readCursorPage(
    Erasure,
    {
      ...toScope(scope),
      ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
      ...(statuses === undefined ? {} : { status: { $in: [...statuses] } }),
      ...(recordId === undefined ? {} : { recordId }),
    },
    page,
  );

/**
 * Waits up to `seconds` for an erasure to complete.
 * @returns its receipt; `erasing` if it did not complete in time
 */
export const awaitErasure = (platform: Platform, scope: Scope, id: string, seconds: number): Promise<ErasureRecord> =>
  awaitRecord(platform, {
    collection: 'erasures',
    id,
    waitMs: seconds * 1000,
    read: () => getErasure(scope, id),
    isFinished: ({ status }) => status === 'completed',
  });
