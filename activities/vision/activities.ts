import type { CheckInput } from '../../models/identity/checks/check';
import type { Platform } from '../../services/platform/platform';
import { createCheckActivities, requiredPicture } from '../checks';
import type { CheckActivities } from '../checks';
import type { VisionEngine } from './engine';
import { compareWithKnownFaces, createFaceActivities, searchFaces } from './faces-index';
import type { FaceActivities } from './faces-index';
import type { Galleries } from './gallery/galleries';

/** The part of the engine that checks use. */
export type CheckEngine = Pick<
  VisionEngine,
  'readDocument' | 'readAddressProof' | 'analyseLiveness' | 'analyseFrames' | 'matchFaces' | 'estimateAge' | 'embed'
>;

/** The frames of an active check, in the order they were sent. */
const framesOf = (inputs: readonly CheckInput[], pictures: ReadonlyMap<string, Buffer>): Buffer[] =>
  inputs.map(({ field }) => requiredPicture(pictures, field));

/** What the vision pool does: checks of documents and faces, and the indexing of faces. */
export const createVisionActivities = (
  platform: Platform,
  engine: CheckEngine,
  galleries: Galleries,
): CheckActivities & FaceActivities => ({
  ...createFaceActivities(platform, engine),
  ...createCheckActivities(platform, {
    id_verification: ({ check, pictures }) => {
      const back = pictures.get('backImage');
      return engine.readDocument({
        front: requiredPicture(pictures, 'frontImage'),
        ...(back === undefined ? {} : { back }),
        today: check.createdAt.toISOString().slice(0, 10),
      });
    },
    proof_of_address: ({ check, pictures }) =>
      engine.readAddressProof({
        document: requiredPicture(pictures, 'document'),
        today: check.createdAt.toISOString().slice(0, 10),
      }),
    liveness: async ({ check, pictures }) => {
      const { result, embedding } =
        check.details === null
          ? await engine.analyseLiveness(requiredPicture(pictures, 'image'))
          : await engine.analyseFrames(framesOf(check.inputs, pictures), check.details);
      const known = await compareWithKnownFaces(platform, galleries, check, embedding);
      return { ...result, risks: [...result.risks, ...known] };
    },
    // A reference is often a document, sent by the client or taken from the session.
    face_match: ({ pictures }) =>
      engine.matchFaces(requiredPicture(pictures, 'userImage'), requiredPicture(pictures, 'refImage'), {
        refIsDocument: true,
      }),
    age: ({ check, pictures }) => engine.estimateAge(requiredPicture(pictures, 'image'), check.details.minimumAge),
    face_search: async ({ check, pictures }) =>
      searchFaces(galleries, check, await engine.embed(requiredPicture(pictures, 'image'))),
  }),
});
