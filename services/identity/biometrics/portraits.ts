import { invalidFieldError } from '../../../domain/errors';
import { findUsableCheck } from '../../../domain/identity/sessions/steps';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { FollowOn } from '../../../domain/identity/sessions/steps';
import type { CheckInput, CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import type { ClientSession } from 'mongoose';
import { listChecksOfSession } from '../checks/check-store';

/** Checks of a session by their ids. */
async function findChecks(
  session: SessionRecord,
  ids: readonly (string | undefined)[],
  mongoSession?: ClientSession,
): Promise<ReadonlyMap<string, CheckRecord>> {
  const known = ids.filter((id) => id !== undefined);
  if (known.length === 0) return new Map();
  const found = await listChecksOfSession(session, { ids: known, mongoSession: mongoSession ?? null });
  return new Map(found.map((check) => [check._id, check]));
}

/** An image of an earlier check, as an input of a later one named `targetField`. */
function findInput(
  checks: ReadonlyMap<string, CheckRecord>,
  checkId: string | undefined,
  selectField: (check: CheckRecord) => string,
  targetField: string,
): CheckInput | null {
  const check = checkId === undefined ? undefined : checks.get(checkId);
  const field = check === undefined ? null : selectField(check);
  const input = check?.inputs.find((candidate) => candidate.field === field);
  return input === undefined ? null : { field: targetField, evidenceId: input.evidenceId };
}

/** The field of the side with the portrait; the front if none was found. */
const selectPortraitField = ({ result }: CheckRecord): string =>
  result !== null && 'portrait' in result && result.portrait?.side === 'back' ? 'backImage' : 'frontImage';

/** The field of a liveness check's image; for an active check the frame that was evaluated, the first if none was frontal. */
export const selectSelfieField = ({ inputs, result }: CheckRecord): string => {
  const best = result !== null && 'active' in result ? (result.active?.bestFrame ?? null) : null;
  // A sandbox result has no frame, whatever was sent.
  return inputs.some(({ field }) => field === 'image') ? 'image' : `frames[${best ?? 0}]`;
};

/** The field of the image of each capture that follow-on checks examine. */
const IMAGE_FIELDS: Partial<Record<Feature, (check: CheckRecord) => string>> = {
  id: selectPortraitField,
  liveness: selectSelfieField,
};

/** The captures with a usable check whose image the session does not have: it was imported without images. */
export async function listCapturesWithoutImages(
  session: SessionRecord,
  mongoSession: ClientSession,
): Promise<Feature[]> {
  const captures = session.steps.flatMap(({ feature }) => {
    const [selectField, usable] = [IMAGE_FIELDS[feature], findUsableCheck(session.steps, feature)];
    return selectField === undefined || usable === undefined ? [] : [{ feature, selectField, id: usable.checkId }];
  });
  const ids = captures.map(({ id }) => id);
  const checks = await findChecks(session, ids, mongoSession);
  return captures
    .filter(({ id, selectField }) => findInput(checks, id, selectField, 'image') === null)
    .map(({ feature }) => feature);
}

/** The selfie of a liveness check, as an input of the follow-on check; null if the session does not have it. */
export async function getSelfieInput(
  session: SessionRecord,
  sources: FollowOn['sources'],
  targetField: string,
  mongoSession: ClientSession,
): Promise<CheckInput | null> {
  const checks = await findChecks(session, [sources.liveness], mongoSession);
  return findInput(checks, sources.liveness, selectSelfieField, targetField);
}

/**
 * The images of a document check and a liveness check, as inputs of the comparison that follows from them; null if the
 * session does not have both.
 */
export async function getComparisonInputs(
  session: SessionRecord,
  sources: FollowOn['sources'],
  mongoSession: ClientSession,
): Promise<CheckInput[] | null> {
  const checks = await findChecks(session, [sources.liveness, sources.id], mongoSession);
  const selfie = findInput(checks, sources.liveness, selectSelfieField, 'userImage');
  const portrait = findInput(checks, sources.id, selectPortraitField, 'refImage');
  return selfie === null || portrait === null ? null : [selfie, portrait];
}

/**
 * The portrait with which a client's selfie is compared when it sends no reference image.
 * @throws AppError 400 naming `refImage` while the session has no usable document
 */
export async function getDocumentPortrait(session: SessionRecord): Promise<CheckInput> {
  const document = findUsableCheck(session.steps, 'id');
  const checks = await findChecks(session, [document?.checkId]);
  const portrait = findInput(checks, document?.checkId, selectPortraitField, 'refImage');
  if (portrait === null) {
    throw invalidFieldError(
      'refImage',
      'a file is required until the session has an identity document with a portrait',
    );
  }
  return portrait;
}
