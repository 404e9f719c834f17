import { failFace } from '../../services/identity/biometrics/faces';
import type { Platform } from '../../services/platform/platform';

/** Short, idempotent writes of indexed faces. */
export interface FaceRecordsActivities {
  /** Marks a face that could not be examined; `reason` is an error code. */
  failFace: (input: { faceId: string; reason: string }) => Promise<void>;
}

/** The activities that write indexed faces. */
export const createFaceRecordsActivities = (platform: Platform): FaceRecordsActivities => ({
  failFace: ({ faceId, reason }) => failFace(platform, faceId, reason),
});
