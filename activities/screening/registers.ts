import { runImport } from '../../services/identity/registers/run-import';
import type { ImportSummary } from '../../services/identity/registers/run-import';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

interface RegisterReference {
  registerId: string;
}

export interface RegisterImportActivities {
  /** Imports a register's file as the active version, only once however often it is called. */
  runRegisterImport: (input: RegisterReference) => Promise<ImportSummary>;
}

/** The activities that import registers. */
export const createRegisterImportActivities = (platform: Platform): RegisterImportActivities => ({
  runRegisterImport: ({ registerId }) => withHeartbeat(() => runImport(platform, registerId)),
});
