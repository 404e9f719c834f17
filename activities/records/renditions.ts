import { documentRenditions } from '../../services/business/documents/document-renditions';
import { failEvidenceRendition } from '../../services/identity/reports/evidence-renditions';
import type { Platform } from '../../services/platform/platform';

/** The activities that write failed renditions. */
export const createRenditionRecordsActivities = (platform: Platform) => ({
  /** Records that a document could not be rendered, with the code of the reason. */
  failRendition: ({ renditionId, reason }: { renditionId: string; reason: string }): Promise<void> =>
    documentRenditions.fail(platform, renditionId, reason),
  /** Records that a report or a preview of a person record could not be rendered. */
  failEvidenceRendition: ({ renditionId, reason }: { renditionId: string; reason: string }): Promise<void> =>
    failEvidenceRendition(platform, renditionId, reason),
});

export type RenditionRecordsActivities = ReturnType<typeof createRenditionRecordsActivities>;
