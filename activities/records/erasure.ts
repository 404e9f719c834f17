import { completeErasure, eraseObjects, eraseRows, getErasureForWorkflow } from '../../services/identity/erasure/erase';
import { logErasure } from '../../services/identity/erasure/erasure-log';
import { eraseOverdueRecords } from '../../services/identity/erasure/retention';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

interface ErasureReference {
  erasureId: string;
}

/** The steps of an erasure after it is recorded. Each may be repeated and resumes where it stopped. */
export interface ErasureActivities {
  /** Removes or anonymises the rows of the record in every collection. */
  eraseRows: (input: ErasureReference) => Promise<void>;
  /** Removes the record's objects from the store. */
  eraseObjects: (input: ErasureReference) => Promise<void>;
  /** Starts the erasure of records whose retention period has ended. @returns the number of started erasures */
  eraseOverdue: () => Promise<number>;
  /** Completes the receipt. */
  completeErasure: (input: ErasureReference) => Promise<void>;
}

/** The activities that erase a record. */
export const createErasureActivities = (platform: Platform): ErasureActivities => ({
  eraseRows: ({ erasureId }) =>
    withHeartbeat(async () => {
      // A backup from before the erasure is made harmless by the log; it must not be lost with the database.
      await logErasure(platform, await getErasureForWorkflow(erasureId));
      await eraseRows(erasureId);
    }),
  eraseObjects: ({ erasureId }) => withHeartbeat(() => eraseObjects(platform, erasureId)),
  eraseOverdue: () => withHeartbeat(() => eraseOverdueRecords(platform)),
  completeErasure: ({ erasureId }) => completeErasure(platform, erasureId),
});
