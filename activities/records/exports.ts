import { clearExport, failExport, recordPrintedCount } from '../../services/business/exports/progress';
import type { Platform } from '../../services/platform/platform';

interface ExportReference {
  exportId: string;
}

/** Short writes about exports, which must succeed also while no worker writes exports. */
export const createExportRecordsActivities = (platform: Platform) => ({
  /** Notes how many documents of an archive are printed. */
  noteExportProgress: ({ exportId, documents }: ExportReference & { documents: number }): Promise<void> =>
    recordPrintedCount(platform, exportId, documents),
  /** Records that an export was given up, and why (a code). */
  failExport: ({ exportId, reason }: ExportReference & { reason: string }): Promise<void> =>
    failExport(platform, exportId, reason),
  /** Removes what a failed or cancelled export left in the object store. */
  clearExport: ({ exportId }: ExportReference): Promise<void> => clearExport(platform, exportId),
});

export type ExportRecordsActivities = ReturnType<typeof createExportRecordsActivities>;
