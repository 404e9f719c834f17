import { createExportActivities } from '../../activities/exports/activities';
import type { PoolDefinition } from '../pool';

/** Two lists at a time: each holds a part in memory and keeps a core busy. */
const SLOTS = 2;
/** A slice of an export, and the part at its end. */
const MAX_ATTEMPT_MS = 30_000;

/** Lists and archives on their way to the object store. */
export const exportsPool: PoolDefinition = {
  pool: 'exports',
  create: (platform) =>
    Promise.resolve({
      activities: createExportActivities(platform),
      slots: SLOTS,
      maxAttemptMs: MAX_ATTEMPT_MS,
      // It has no engine of its own: MongoDB, Temporal and the object store are checked for every pool.
      health: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
};
