import { clearExport, failExport, recordPrintedCount } from '../../services/business/exports/progress';
import type { Platform } from '../../services/platform/platform';

interface ExportReference {
  exportId: string;
}

/** Short writes about exports. They run on a general pool, so that they succeed while no export worker is running. */
export const createExportRecordsActivities = (platform: Platform) => ({
  /** Records the number of printed documents of an archive. */
  noteExportProgress: ({ exportId, documents }: ExportReference & { documents: number }): Promise<void> =>
    recordPrintedCount(platform, exportId, documents),
  /** Marks an export as failed. @param reason error code */
  failExport: ({ exportId, reason }: ExportReference & { reason: string }): Promise<void> =>
    failExport(platform, exportId, reason),
  /** Removes the objects of a failed or cancelled export from the object store. */
  clearExport: ({ exportId }: ExportReference): Promise<void> => clearExport(platform, exportId),
});

export type ExportRecordsActivities = ReturnType<typeof createExportRecordsActivities>;
