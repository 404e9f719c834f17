import { completeErasure, eraseObjects, eraseRows } from '../../services/identity/erasure/erase';
import { eraseOverdueRecords } from '../../services/identity/erasure/retention';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 10_000;

interface ErasureReference {
  erasureId: string;
}

/** What an erasure removes once it is recorded. Each may be run again, and goes on where it was. */
export interface ErasureActivities {
  /** Removes or anonymises the rows of the record in every collection. */
  eraseRows: (input: ErasureReference) => Promise<void>;
  /** Removes the record's objects from the store. */
  eraseObjects: (input: ErasureReference) => Promise<void>;
  /** Begins the erasure of records whose retention time is over. @returns how many */
  eraseOverdue: () => Promise<number>;
  /** Completes the receipt. */
  completeErasure: (input: ErasureReference) => Promise<void>;
}

export const createErasureActivities = (platform: Platform): ErasureActivities => ({
  eraseRows: ({ erasureId }) => withHeartbeat(HEARTBEAT_MS, () => eraseRows(erasureId)),
  eraseObjects: ({ erasureId }) => withHeartbeat(HEARTBEAT_MS, () => eraseObjects(platform, erasureId)),
  eraseOverdue: () => withHeartbeat(HEARTBEAT_MS, () => eraseOverdueRecords(platform)),
  completeErasure: ({ erasureId }) => completeErasure(platform, erasureId),
});
