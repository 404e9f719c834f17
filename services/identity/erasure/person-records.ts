import { conflictError } from '../../../domain/errors';
import type { PersonRecordKind } from '../../../domain/identity/erasure/erasure';
import { AmlMonitor } from '../../../models/identity/aml/aml-monitor';
import { AmlScreening } from '../../../models/identity/aml/aml-screening';
import type { AmlScreeningRecord } from '../../../models/identity/aml/aml-screening';
import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { KybCheck } from '../../../models/identity/kyb/kyb-check';
import type { KybCheckRecord } from '../../../models/identity/kyb/kyb-check';
import { RegisterImport } from '../../../models/identity/registers/register-import';
import type { RegisterImportRecord } from '../../../models/identity/registers/register-import';
import { Face } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Share } from '../../../models/identity/sharing/share';
import type { ShareRecord } from '../../../models/identity/sharing/share';
import { workflowIds } from '../../../workflows/contracts';
import { emitEvent } from '../../platform/webhooks/events';
import { toScope } from '../../platform/platform';
import type { Scope } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { withdrawFaces } from '../biometrics/face-gallery';
import { runsItsChecks } from '../sessions/temporal-workflow';
import { recordDayChanges } from '../statistics/day-changes';

/** A record that was marked deleted, as needed for its erasure. */
export interface ClosedRecord {
  /** Ids of the record and its parts. */
  ids: string[];
  /** Ids of the workflows to cancel. */
  workflowIds: string[];
}

/**
 * Marks a record and its parts deleted (`deletedAt`), within the transaction that destroys its data key and records the
 * erasure: after its commit the record is a 404 and running workflows can no longer write to it.
 * @returns null if the record does not exist in this scope or has been deleted
 */
export type CloseRecord = (
  unit: UnitOfWork,
  scope: Scope,
  recordId: string,
  erasureId: string,
) => Promise<ClosedRecord | null>;

const closeSession: CloseRecord = async (unit, scope, sessionId, erasureId) => {
  const at = unit.platform.clock.now();
  const session = await Session.findOneAndUpdate(
    { _id: sessionId, ...toScope(scope), deletedAt: null },
    { $set: { deletedAt: at, searchTokens: [] }, $inc: { version: 1 } },
    { session: unit.mongoSession },
  ).lean<SessionRecord>();
  if (session === null) return null;
  await recordDayChanges(unit, 'sessions', scope, [session]);
  const checks = await Check.find(
    { ...toScope(scope), sessionId },
    { _id: 1, status: 1, supplementary: 1, createdAt: 1 },
  )
    .session(unit.mongoSession)
    .lean<Pick<CheckRecord, '_id' | 'status' | 'supplementary' | 'createdAt'>[]>();
  await Check.updateMany({ ...toScope(scope), sessionId }, { $set: { deletedAt: at } }, { session: unit.mongoSession });
  await recordDayChanges(unit, 'checks', scope, checks);
  const faces = await withdrawFaces(unit, scope, { sessionId });
  const shares = await Share.find({ ...toScope(scope), sessionId }, { _id: 1 })
    .session(unit.mongoSession)
    .lean<Pick<ShareRecord, '_id'>[]>();
  await emitEvent(unit, toScope(scope), {
    type: 'session.deleted',
    key: `session.deleted:${sessionId}`,
    subjectId: sessionId,
    data: { sessionId, number: session.number, erasureId },
    at,
  });
  // The other checks are run by the workflow of the session.
  const running = checks.filter(
    ({ status, supplementary }) => status === 'processing' && (supplementary || !runsItsChecks(session)),
  );
  const notes = session.notes ?? [];
  return {
    // Notes are read here: they are encrypted with the data key that is about to be destroyed.
    ids: [sessionId, ...[...checks, ...shares].map(({ _id }) => _id), ...faces, ...notes.map(({ id }) => id)],
    workflowIds: [workflowIds.session(sessionId, session.opening), ...running.map(({ _id }) => workflowIds.check(_id))],
  };
};

const closeCheck: CloseRecord = async (unit, scope, checkId) => {
  const filter = { _id: checkId, ...toScope(scope), deletedAt: null };
  const check = await Check.findOne(filter).session(unit.mongoSession).lean<CheckRecord>();
  if (check === null) return null;
  if (check.sessionId !== null) {
    const { sessionId } = check;
    throw conflictError('check_of_session', `The check is part of ${sessionId}; delete that session.`, { sessionId });
  }
  await Check.updateOne(filter, { $set: { deletedAt: unit.platform.clock.now() } }, { session: unit.mongoSession });
  await recordDayChanges(unit, 'checks', scope, [check]);
  return { ids: [checkId], workflowIds: check.status === 'processing' ? [workflowIds.check(checkId)] : [] };
};

/** Closes the screenings of a subject with its monitors; `recordId` is the record that started with the subject. */
async function closeSubject(unit: UnitOfWork, scope: Scope, recordId: string, at: Date): Promise<ClosedRecord> {
  const filter = { ...toScope(scope), recordId, deletedAt: null };
  const screenings = await AmlScreening.find(filter, { _id: 1, status: 1 })
    .session(unit.mongoSession)
    .lean<Pick<AmlScreeningRecord, '_id' | 'status'>[]>();
  await AmlScreening.updateMany(filter, { $set: { deletedAt: at } }, { session: unit.mongoSession });
  await AmlMonitor.updateMany(filter, { $set: { deletedAt: at } }, { session: unit.mongoSession });
  const running = screenings.filter(({ status }) => status === 'processing');
  return {
    ids: screenings.map(({ _id }) => _id),
    workflowIds: running.map(({ _id }) => workflowIds.amlScreening(_id)),
  };
}

/** Closes a screening with all later screenings of its monitor, which are part of it. */
const closeScreening: CloseRecord = async (unit, scope, screeningId) => {
  const closed = await closeSubject(unit, scope, screeningId, unit.platform.clock.now());
  if (closed.ids.length > 0) return closed;
  const part = await AmlScreening.findOne({ _id: screeningId, ...toScope(scope), deletedAt: null }, { recordId: 1 })
    .session(unit.mongoSession)
    .lean<Pick<AmlScreeningRecord, 'recordId'>>();
  if (part === null) return null;
  const { recordId } = part;
  throw conflictError('screening_of_monitor', `The screening is part of ${recordId}; delete that record.`, {
    recordId,
  });
};

const closeRegister: CloseRecord = async (unit, scope, registerId) => {
  const filter = { _id: registerId, ...toScope(scope), deletedAt: null };
  const closed = await RegisterImport.findOneAndUpdate(
    filter,
    { $set: { deletedAt: unit.platform.clock.now() } },
    { session: unit.mongoSession },
  ).lean<RegisterImportRecord>();
  if (closed === null) return null;
  return {
    ids: [registerId],
    workflowIds: closed.status === 'importing' ? [workflowIds.registerImport(registerId)] : [],
  };
};

/** Closes a business check with the monitors of its parties and their screenings. */
const closeKyb: CloseRecord = async (unit, scope, kybId) => {
  const at = unit.platform.clock.now();
  const closed = await KybCheck.findOneAndUpdate(
    { _id: kybId, ...toScope(scope), deletedAt: null },
    { $set: { deletedAt: at } },
    { session: unit.mongoSession },
  ).lean<KybCheckRecord>();
  if (closed === null) return null;
  const parties = await closeSubject(unit, scope, kybId, at);
  const running = closed.status === 'processing' ? [workflowIds.kyb(kybId)] : [];
  return { ids: [kybId, ...parties.ids], workflowIds: [...running, ...parties.workflowIds] };
};

const closeFace: CloseRecord = async (unit, scope, faceId) => {
  const filter = { _id: faceId, ...toScope(scope), deletedAt: null };
  const face = await Face.findOne(filter).session(unit.mongoSession).lean<FaceRecord>();
  if (face === null) return null;
  if (face.sessionId !== null) {
    const { sessionId } = face;
    throw conflictError('face_of_session', `The face is part of ${sessionId}; delete that session.`, { sessionId });
  }
  await withdrawFaces(unit, scope, { _id: faceId });
  return { ids: [faceId], workflowIds: face.status === 'processing' ? [workflowIds.faceIndexing(faceId)] : [] };
};

/** How each kind of person record is closed. */
export const RECORD_CLOSERS: Readonly<Record<PersonRecordKind, CloseRecord>> = {
  session: closeSession,
  check: closeCheck,
  screening: closeScreening,
  register: closeRegister,
  kyb: closeKyb,
  face: closeFace,
};
