import { failScreening } from '../../services/identity/aml/completion';
import type { Platform } from '../../services/platform/platform';

/** Short, idempotent writes of screenings. */
export interface AmlRecordsActivities {
  /** Marks a screening as failed; `reason` is an error code. */
  failScreening: (input: { screeningId: string; reason: string }) => Promise<void>;
}

/** The activities that write screenings. */
export const createAmlRecordsActivities = (platform: Platform): AmlRecordsActivities => ({
  failScreening: ({ screeningId, reason }) => failScreening(platform, screeningId, reason),
});
