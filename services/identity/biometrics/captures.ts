import { AppError } from '../../../domain/errors';
import type { Feature } from '../../../domain/identity/sessions/features';
import type { StoredFile } from '../../../lib/files/stored-file';
import { Face } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import { Session } from '../../../models/identity/sessions/session';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { readStoredFile } from '../../platform/evidence/evidence';
import type { Platform, Scope } from '../../platform/platform';
import { toScope } from '../sessions/session-store';
import { selectSelfieField } from './portraits';

/** Images of one check that are compared: more frames of a sequence would show the same face again. */
const MAX_IMAGES = 3;

/** An image of a face from before. */
export interface EarlierCapture {
  faceId: string;
  sessionId: string | null;
  externalId: string | null;
  file: StoredFile;
}

/** The decrypted image; null once it is erased. */
const readImage = (platform: Platform, scope: Scope, evidenceId: string): Promise<StoredFile | null> =>
  readStoredFile(platform, toScope(scope), evidenceId).catch((error: unknown) => {
    if (error instanceof AppError && error.status === 404) return null;
    throw error;
  });

const findCheck = (scope: Scope, id: string): Promise<CheckRecord | null> =>
  Check.findOne({ _id: id, ...toScope(scope), deletedAt: null }).lean<CheckRecord>();

/** The evidence of a face: its own image, or the selfie that it was taken from. */
async function findFaceEvidence(scope: Scope, face: FaceRecord): Promise<string | null> {
  if (face.evidenceId !== null || face.checkId === null) return face.evidenceId;
  const check = await findCheck(scope, face.checkId);
  const field = check === null ? null : selectSelfieField(check);
  return check?.inputs.find((input) => input.field === field)?.evidenceId ?? null;
}

/** The images of indexed faces, without those that were erased meanwhile. */
export async function readEarlierCaptures(
  platform: Platform,
  scope: Scope,
  faceIds: readonly string[],
): Promise<EarlierCapture[]> {
  const faces = await Face.find({ _id: { $in: [...faceIds] }, ...toScope(scope), deletedAt: null }, { embedding: 0 })
    .sort({ _id: 1 })
    .lean<FaceRecord[]>();
  const captures: EarlierCapture[] = [];
  for (const face of faces) {
    const evidenceId = await findFaceEvidence(scope, face);
    const file = evidenceId === null ? null : await readImage(platform, scope, evidenceId);
    if (file !== null) {
      captures.push({ faceId: face._id, sessionId: face.sessionId, externalId: face.externalId, file });
    }
  }
  return captures;
}

/**
 * The images of the last attempt at another step of a check's session, also while it is processed: of two checks that
 * are submitted at once, the later one finds the images of the earlier one. Empty in a session that compares the faces
 * by itself, and without a session.
 */
export async function readSessionCaptures(
  platform: Platform,
  check: CheckRecord,
  feature: Feature,
): Promise<StoredFile[]> {
  const session =
    check.sessionId === null
      ? null
      : await Session.findOne({ _id: check.sessionId, ...toScope(check), deletedAt: null }).lean<SessionRecord>();
  if (session === null || session.features.includes('face_match')) return [];
  const attempt = session.steps.find((step) => step.feature === feature)?.attempts.at(-1);
  const other = attempt === undefined ? null : await findCheck(check, attempt.checkId);
  const images = await Promise.all(
    (other?.inputs ?? []).slice(0, MAX_IMAGES).map(({ evidenceId }) => readImage(platform, check, evidenceId)),
  );
  return images.filter((image) => image !== null);
}
