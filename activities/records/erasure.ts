import { completeErasure, eraseObjects, eraseRows, getErasureForWorkflow } from '../../services/identity/erasure/erase';
import { logErasure } from '../../services/identity/erasure/erasure-log';
import { eraseOverdueRecords } from '../../services/identity/erasure/retention';
import type { RetentionRun } from '../../services/identity/erasure/retention';
import type { Platform } from '../../services/platform/platform';
import { MINUTE_MS } from '../../domain/durations';
import { createStopCondition, withHeartbeat } from '../heartbeat';

/** Well below the timeout of the activity. */
const ROUND_MS = 5 * MINUTE_MS;

interface ErasureReference {
  erasureId: string;
}

/** The steps of an erasure after it is recorded. Each may be repeated and resumes where it stopped. */
export interface ErasureActivities {
  /** Removes or anonymises the rows of the record in every collection. */
  eraseRows: (input: ErasureReference) => Promise<void>;
  /** Removes the record's objects from the store. */
  eraseObjects: (input: ErasureReference) => Promise<void>;
  /** Starts the erasure of records whose retention period has ended, until its time is over. */
  eraseOverdueRound: () => Promise<RetentionRun>;
  /** The same for workflows started before there were rounds. @returns the number of started erasures */
  eraseOverdue: () => Promise<number>;
  /** Completes the receipt. */
  completeErasure: (input: ErasureReference) => Promise<void>;
}

/** The activities that erase a record. */
export const createErasureActivities = (platform: Platform): ErasureActivities => {
  const eraseOverdueRound = (): Promise<RetentionRun> =>
    withHeartbeat(() => eraseOverdueRecords(platform, createStopCondition(ROUND_MS)));
  return {
    eraseRows: ({ erasureId }) =>
      withHeartbeat(async () => {
        // A backup from before the erasure is made harmless by the log; it must not be lost with the database.
        await logErasure(platform, await getErasureForWorkflow(erasureId));
        await eraseRows(erasureId);
      }),
    eraseObjects: ({ erasureId }) => withHeartbeat(() => eraseObjects(platform, erasureId)),
    eraseOverdueRound,
    eraseOverdue: async () => (await eraseOverdueRound()).begun,
    completeErasure: ({ erasureId }) => completeErasure(platform, erasureId),
  };
};
