import { AppError, invalidFieldError } from '../../../domain/errors';
import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { Check } from '../../../models/identity/checks/check';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { ClientSession } from 'mongoose';

/** An image of a session's earlier check, as an input of a later one named `targetField`. */
async function findInput(
  session: SessionRecord,
  checkId: string | undefined,
  selectField: (check: CheckRecord) => string | null,
  targetField: string,
  mongoSession?: ClientSession,
): Promise<CheckInput | null> {
  const { _id: sessionId, organisationId, mode } = session;
  if (checkId === undefined) return null;
  const check = await Check.findOne({ _id: checkId, organisationId, mode, sessionId, deletedAt: null })
    .session(mongoSession ?? null)
    .lean<CheckRecord>();
  const field = check === null ? null : selectField(check);
  const input = check?.inputs.find((candidate) => candidate.field === field);
  return input === undefined ? null : { field: targetField, evidenceId: input.evidenceId };
}

/** The field of the side with the portrait; the front if none was found. */
const selectPortraitField = ({ result }: CheckRecord): string =>
  result !== null && 'portrait' in result && result.portrait?.side === 'back' ? 'backImage' : 'frontImage';

/** The field of a liveness check's image; for an active check the frame that was evaluated. */
export const selectSelfieField = ({ result }: CheckRecord): string => {
  const best = result !== null && 'active' in result ? (result.active?.bestFrame ?? null) : null;
  return best === null ? 'image' : `frames[${best}]`;
};

/** The selfie of a liveness check, as an input of the follow-on check. */
export async function getSelfieInput(
  session: SessionRecord,
  sources: FollowOn['sources'],
  targetField: string,
  mongoSession: ClientSession,
): Promise<CheckInput> {
  const selfie = await findInput(session, sources.liveness, selectSelfieField, targetField, mongoSession);
  if (selfie === null)
    throw new AppError('evidence_missing', 500, 'An image of an earlier check of the session is missing.');
  return selfie;
}

/** The images of a document check and a liveness check, as inputs of the comparison that follows from them. */
export async function getComparisonInputs(
  session: SessionRecord,
  sources: FollowOn['sources'],
  mongoSession: ClientSession,
): Promise<CheckInput[]> {
  const selfie = await getSelfieInput(session, sources, 'userImage', mongoSession);
  const portrait = await findInput(session, sources.id, selectPortraitField, 'refImage', mongoSession);
  if (portrait === null) {
    throw new AppError('evidence_missing', 500, 'An image of an earlier check of the session is missing.');
  }
  return [selfie, portrait];
}

/**
 * The portrait with which a client's selfie is compared when it sends no reference image.
 * @throws AppError 400 naming `refImage` while the session has no usable document
 */
export async function getDocumentPortrait(session: SessionRecord): Promise<CheckInput> {
  const document = findUsableCheck(session.steps, 'id');
  const portrait =
    document === undefined ? null : await findInput(session, document.checkId, selectPortraitField, 'refImage');
  if (portrait === null) {
    throw invalidFieldError(
      'refImage',
      'a file is required until the session has an identity document with a portrait',
    );
  }
  return portrait;
}
