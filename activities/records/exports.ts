import { clearExport, failExport, notePrinted } from '../../services/business/exports/progress';
import type { Platform } from '../../services/platform/platform';

interface Job {
  exportId: string;
}

/** Short writes about exports, which must succeed also while no worker writes exports. */
export const createExportRecordsActivities = (platform: Platform) => ({
  /** Notes how many documents of an archive are printed. */
  noteExportProgress: ({ exportId, documents }: Job & { documents: number }): Promise<void> =>
    notePrinted(platform, exportId, documents),
  /** Records that an export was given up, and why (a code). */
  failExport: ({ exportId, reason }: Job & { reason: string }): Promise<void> => failExport(platform, exportId, reason),
  /** Removes what a failed or cancelled export left in the object store. */
  clearExport: ({ exportId }: Job): Promise<void> => clearExport(platform, exportId),
});

export type ExportRecordsActivities = ReturnType<typeof createExportRecordsActivities>;
