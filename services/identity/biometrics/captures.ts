import type { Feature } from '../../../domain/identity/sessions/features';
import { listCountedAttempts } from '../../../domain/identity/sessions/steps';
import type { StoredFile } from '../../../lib/files/stored-file';
import { Face } from '../../../models/identity/biometrics/face';
import type { FaceRecord } from '../../../models/identity/biometrics/face';
import { Check } from '../../../models/identity/checks/check';
import type { CheckRecord } from '../../../models/identity/checks/check';
import type { SessionRecord } from '../../../models/identity/sessions/session';
import { readTogether } from '../../platform/evidence/data-keys';
import { findStoredFiles } from '../../platform/evidence/evidence';
import { toScope } from '../../platform/platform';
import type { Platform, Scope } from '../../platform/platform';
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

const findChecks = (scope: Scope, ids: readonly string[]): Promise<CheckRecord[]> =>
  Check.find({ _id: { $in: [...ids] }, ...toScope(scope), deletedAt: null }).lean<CheckRecord[]>();

/** The evidence of a selfie that a check has examined. */
function findSelfieEvidence(check: CheckRecord | undefined): string | null {
  const field = check === undefined ? null : selectSelfieField(check);
  return check?.inputs.find((input) => input.field === field)?.evidenceId ?? null;
}

/** Faces with their evidence: their own images, or the selfies that they were taken from. */
async function findFaceEvidence(
  scope: Scope,
  faceIds: readonly string[],
): Promise<{ face: FaceRecord; evidenceId: string }[]> {
  const filter = { _id: { $in: [...faceIds] }, ...toScope(scope), deletedAt: null };
  const faces = await Face.find(filter, { embedding: 0 }).sort({ _id: 1 }).lean<FaceRecord[]>();
  const checkIds = faces.flatMap(({ evidenceId, checkId }) =>
    evidenceId === null && checkId !== null ? [checkId] : [],
  );
  const checks = checkIds.length === 0 ? [] : await findChecks(scope, checkIds);
  const checksById = new Map(checks.map((check) => [check._id, check]));
  return faces.flatMap((face) => {
    const evidenceId = face.evidenceId ?? findSelfieEvidence(checksById.get(face.checkId ?? ''));
    return evidenceId === null ? [] : [{ face, evidenceId }];
  });
}

/** The images of indexed faces, without those that were erased meanwhile. */
export async function readEarlierCaptures(
  platform: Platform,
  scope: Scope,
  faceIds: readonly string[],
): Promise<EarlierCapture[]> {
  const found = await readTogether(() => findFaceEvidence(scope, faceIds));
  const files = await findStoredFiles(
    platform,
    scope,
    found.map(({ evidenceId }) => evidenceId),
  );
  return found.flatMap(({ face, evidenceId }) => {
    const file = files.get(evidenceId);
    const { _id: faceId, sessionId, externalId } = face;
    return file === undefined ? [] : [{ faceId, sessionId, externalId, file }];
  });
}

/** The fields of a session that name the images of its steps; none of them is encrypted. */
export const CAPTURE_FIELDS = ['features', 'steps'] as const satisfies readonly (keyof SessionRecord)[];

type CaptureSession = Pick<SessionRecord, '_id' | (typeof CAPTURE_FIELDS)[number]>;

/**
 * The images of the last attempt that counts at another step of a check's session, also while it is processed: of two
 * checks that are submitted at once, the later one finds the images of the earlier one. Empty in a session that compares
 * the faces by itself, and without a session.
 * @param session as read after the check was submitted
 */
export async function readSessionCaptures(
  platform: Platform,
  check: CheckRecord,
  session: CaptureSession | null,
  feature: Feature,
): Promise<StoredFile[]> {
  if (session === null || session.features.includes('face_match')) return [];
  const attempt = session.steps
    .filter((step) => step.feature === feature)
    .flatMap(listCountedAttempts)
    .at(-1);
  const [other] = attempt === undefined ? [] : await findChecks(check, [attempt.checkId]);
  const ids = (other?.inputs ?? []).slice(0, MAX_IMAGES).map(({ evidenceId }) => evidenceId);
  return ids.length === 0 ? [] : [...(await findStoredFiles(platform, check, ids)).values()];
}
