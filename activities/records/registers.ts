import { failImport } from '../../services/identity/registers/run-import';
import type { Platform } from '../../services/platform/platform';

export interface RegisterRecordsActivities {
  /** Marks an import as failed; `reason` is an error code. */
  failRegisterImport: (input: { registerId: string; reason: string }) => Promise<void>;
}

/** The activities that write imports of registers. */
export const createRegisterRecordsActivities = (platform: Platform): RegisterRecordsActivities => ({
  failRegisterImport: ({ registerId, reason }) => failImport(platform, registerId, reason),
});
