import { AppError, invalidField } from '../../../domain/errors';
import { usableCheck } from '../../../domain/identity/sessions/steps';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import { Check } from '../../../models/identity/checks/check';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { ClientSession } from 'mongoose';

/** The picture of a session's check that a comparison needs, under the name the comparison knows it by. */
async function inputOf(
  session: SessionRecord,
  checkId: string | undefined,
  fieldOf: (check: CheckRecord) => string | null,
  as: string,
  transaction?: ClientSession,
): Promise<CheckInput | null> {
  const { _id: sessionId, organisationId, mode } = session;
  if (checkId === undefined) return null;
  const check = await Check.findOne({ _id: checkId, organisationId, mode, sessionId, deletedAt: null })
    .session(transaction ?? null)
    .lean<CheckRecord>();
  const field = check === null ? null : fieldOf(check);
  const input = check?.inputs.find((candidate) => candidate.field === field);
  return input === undefined ? null : { field: as, evidenceId: input.evidenceId };
}

/** The field of the side that bears the portrait, the front where none was found. */
const portraitField = ({ result }: CheckRecord): string =>
  result !== null && 'portrait' in result && result.portrait?.side === 'back' ? 'backImage' : 'frontImage';

/** The field of a liveness check's picture; of an active check the frame it was judged by. */
const selfieField = ({ result }: CheckRecord): string => {
  const best = result !== null && 'active' in result ? (result.active?.bestFrame ?? null) : null;
  return best === null ? 'image' : `frames[${best}]`;
};

/** The selfie of a liveness check, as the input of the check that follows from it. */
export async function selfieInput(
  session: SessionRecord,
  sources: FollowOn['sources'],
  as: string,
  transaction: ClientSession,
): Promise<CheckInput> {
  const selfie = await inputOf(session, sources.liveness, selfieField, as, transaction);
  if (selfie === null) throw new AppError('evidence_missing', 500, 'A check of the session has lost its picture.');
  return selfie;
}

/** The pictures of a document check and a liveness check, as the inputs of the comparison that follows from them. */
export async function comparisonInputs(
  session: SessionRecord,
  sources: FollowOn['sources'],
  transaction: ClientSession,
): Promise<CheckInput[]> {
  const selfie = await selfieInput(session, sources, 'userImage', transaction);
  const portrait = await inputOf(session, sources.id, portraitField, 'refImage', transaction);
  if (portrait === null) {
    throw new AppError('evidence_missing', 500, 'A check of the session has lost its picture.');
  }
  return [selfie, portrait];
}

/**
 * The portrait a client's own comparison is made with when it sends none.
 * @throws AppError 400 naming `refImage` while the session has no usable document
 */
export async function documentPortrait(session: SessionRecord): Promise<CheckInput> {
  const document = usableCheck(session.steps, 'id');
  const portrait = document === undefined ? null : await inputOf(session, document.checkId, portraitField, 'refImage');
  if (portrait === null) {
    throw invalidField('refImage', 'a file is required until the session has an identity document with a portrait');
  }
  return portrait;
}
