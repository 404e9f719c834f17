import { invalidFieldError } from '../../../domain/errors';
import type { CheckInput } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { Evidence } from '../../../models/platform/evidence/evidence';
import { forgetEvidence } from '../../platform/evidence/evidence';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { changeSession, sessionChangedError } from './session-store';
import { toScope } from '../../platform/platform';

/** The field of the front in a check of a document. */
export const FRONT_FIELD = 'frontImage';

/** The front that the session keeps, as an input of its check. @throws AppError 400 if it keeps none */
export function getKeptFrontInput({ keptFront }: SessionRecord): CheckInput {
  if (keptFront == null) {
    throw invalidFieldError(FRONT_FIELD, 'a file is required, unless the session keeps the front');
  }
  return { field: FRONT_FIELD, evidenceId: keptFront.evidenceId };
}

/**
 * Removes the front that a session keeps. The file itself has no reference then, and is removed within a day.
 * @returns the change to write to the session; empty if it keeps none
 */
export async function removeKeptFront(
  unit: UnitOfWork,
  session: SessionRecord,
): Promise<Pick<SessionRecord, 'keptFront'>> {
  if (session.keptFront == null) return {};
  await forgetEvidence(unit, session, session._id, session.keptFront.evidenceId);
  return { keptFront: null };
}

/**
 * Makes the kept front an image of a new check, or removes it if the check has another front.
 * @param used the front that the check was made with, if the client left it out
 * @throws AppError 409 `session_changed` if that front was replaced meanwhile
 */
export async function takeKeptFront(
  unit: UnitOfWork,
  session: SessionRecord,
  checkId: string,
  used: CheckInput | undefined,
): Promise<SessionRecord> {
  if (used !== undefined && session.keptFront?.evidenceId !== used.evidenceId) throw sessionChangedError();
  if (session.keptFront == null) return session;
  if (used === undefined) return changeSession(unit, session, await removeKeptFront(unit, session));
  await Evidence.updateOne(
    { _id: used.evidenceId, ...toScope(session), recordId: session._id },
    { $set: { checkId } },
    { session: unit.mongoSession },
  );
  return changeSession(unit, session, { keptFront: null });
}
