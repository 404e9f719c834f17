import { getCalendarDays } from '../../domain/identity/calendar-days';
import type { StoredFile } from '../../lib/files/stored-file';
import type { Risk } from '../../domain/identity/checks/risks';
import type { CheckInput, CheckOfKind } from '../../models/identity/checks/check';
import { holdSelfie, SELFIE_FIELDS } from '../../services/identity/biometrics/session-faces';
import { findSessionOfCheck } from '../../services/identity/sessions/session-store';
import type { Platform } from '../../services/platform/platform';
import { createCheckActivities, requireImage } from '../checks';
import type { CheckActivities } from '../checks';
import type { VisionEngine } from './engine';
import { compareWithSelfie, findSameCaptures } from './same-capture';
import { compareWithKnownFaces, createFaceActivities, searchIndexedFaces } from './face-indexing';
import type { FaceActivities } from './face-indexing';
import type { Galleries } from './gallery/galleries';
import { getEmbeddingWeights } from './manifest';

/** The part of the engine that checks use. */
export type CheckEngine = Pick<
  VisionEngine,
  | 'readDocument'
  | 'readAddressProof'
  | 'analyseLiveness'
  | 'analyseFrames'
  | 'matchFaces'
  | 'compareCaptures'
  | 'estimateAge'
  | 'embed'
>;

/** The frames of an active check, in the order they were uploaded. */
const listFrames = (inputs: readonly CheckInput[], images: ReadonlyMap<string, StoredFile>): StoredFile[] =>
  inputs.map(({ field }) => requireImage(images, field));

/**
 * Compares the selfie of a session without a liveness check, which does so by itself, with the faces of the
 * organisation.
 */
async function compareSubmittedSelfie(
  engine: CheckEngine,
  galleries: Galleries,
  check: CheckOfKind<'face_match' | 'age'>,
  selfie: StoredFile,
): Promise<Risk[]> {
  const session = await findSessionOfCheck(check, { fields: SELFIE_FIELDS });
  if (session === null || session.features.includes('liveness')) return [];
  const { embedding } = await engine.embed(selfie);
  return compareWithKnownFaces(galleries, check, session, embedding);
}

/** Activities of the vision pool: checks of documents and faces, and the indexing of faces. */
export const createVisionActivities = (
  platform: Platform,
  engine: CheckEngine,
  galleries: Galleries,
): CheckActivities & FaceActivities => ({
  ...createFaceActivities(platform, engine),
  ...createCheckActivities<'vision'>(platform, {
    id_verification: async ({ check, images }) => {
      const [front, back] = [requireImage(images, 'frontImage'), images.get('backImage')];
      const sides = back === undefined ? { front } : { front, back };
      const result = await engine.readDocument({ ...sides, days: getCalendarDays(check.createdAt) });
      const captureRisks = await compareWithSelfie(platform, engine, check, Object.values(sides));
      return { ...result, risks: [...result.risks, ...captureRisks] };
    },
    proof_of_address: ({ check, images }) =>
      engine.readAddressProof({
        document: requireImage(images, 'document'),
        days: getCalendarDays(check.createdAt),
      }),
    liveness: async ({ check, images, writeWithResult }) => {
      const analysis =
        check.details === null
          ? await engine.analyseLiveness(requireImage(images, 'image'))
          : await engine.analyseFrames(listFrames(check.inputs, images), check.details);
      const { result, embedding } = analysis;
      // Read once the analysis has ended, so that it has what was submitted meanwhile.
      const session = embedding === null ? null : await findSessionOfCheck(check, { fields: SELFIE_FIELDS });
      if (embedding !== null) {
        const selfie = { embedding, model: getEmbeddingWeights() };
        writeWithResult((context) => holdSelfie(context, selfie));
      }
      const knownFaceRisks = await compareWithKnownFaces(galleries, check, session, embedding);
      const comparison = { platform, engine, galleries, check, session };
      const captureRisks = await findSameCaptures(comparison, analysis, images);
      return { ...result, risks: [...result.risks, ...knownFaceRisks, ...captureRisks] };
    },
    // The reference is often a document, uploaded by the client or taken from the session.
    face_match: async ({ check, images }) => {
      const [selfie, reference] = [requireImage(images, 'userImage'), requireImage(images, 'refImage')];
      const result = await engine.matchFaces(selfie, reference, { refIsDocument: true });
      const knownFaceRisks = await compareSubmittedSelfie(engine, galleries, check, selfie);
      return { ...result, risks: [...result.risks, ...knownFaceRisks] };
    },
    age: async ({ check, images }) => {
      const selfie = requireImage(images, 'image');
      const result = await engine.estimateAge(selfie, check.details.minimumAge);
      const knownFaceRisks = await compareSubmittedSelfie(engine, galleries, check, selfie);
      return { ...result, risks: [...result.risks, ...knownFaceRisks] };
    },
    face_search: async ({ check, images }) =>
      searchIndexedFaces(galleries, check, await engine.embed(requireImage(images, 'image'))),
  }),
});
