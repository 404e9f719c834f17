import { failRendition } from '../../services/business/documents/renditions';
import { failEvidenceRendition } from '../../services/identity/reports/evidence-renditions';
import type { Platform } from '../../services/platform/platform';

/** Short writes about printed documents. */
export const createRenditionRecordsActivities = (platform: Platform) => ({
  /** Records that a document could not be printed, and why (a code). */
  failRendition: ({ renditionId, reason }: { renditionId: string; reason: string }): Promise<void> =>
    failRendition(platform, renditionId, reason),
  /** The same for a report or a preview of a person record. */
  failEvidenceRendition: ({ renditionId, reason }: { renditionId: string; reason: string }): Promise<void> =>
    failEvidenceRendition(platform, renditionId, reason),
});

export type RenditionRecordsActivities = ReturnType<typeof createRenditionRecordsActivities>;
