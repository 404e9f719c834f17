import type { Platform } from '../../services/platform/platform';
import { createCheckActivities, requiredPicture } from '../checks';
import type { CheckActivities } from '../checks';
import type { VisionEngine } from './engine';

/** The part of the engine that checks use. */
export type CheckEngine = Pick<VisionEngine, 'readDocument' | 'analyseLiveness' | 'matchFaces'>;

/** The vision pool's checks: documents and faces. */
export const createVisionActivities = (platform: Platform, engine: CheckEngine): CheckActivities =>
  createCheckActivities(platform, {
    id_verification: ({ check, pictures }) => {
      const back = pictures.get('backImage');
      return engine.readDocument({
        front: requiredPicture(pictures, 'frontImage'),
        ...(back === undefined ? {} : { back }),
        today: check.createdAt.toISOString().slice(0, 10),
      });
    },
    liveness: ({ pictures }) => engine.analyseLiveness(requiredPicture(pictures, 'image')),
    // A reference is often a document, sent by the client or taken from the session.
    face_match: ({ pictures }) =>
      engine.matchFaces(requiredPicture(pictures, 'userImage'), requiredPicture(pictures, 'refImage'), {
        refIsDocument: true,
      }),
  });
