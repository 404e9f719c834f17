import { createExportActivities } from '../../activities/exports/activities';
import type { PoolDefinition } from '../pool';

/** Each export holds a part in memory and uses one core. */
const SLOTS = 2;
/** Duration of the longest attempt: one slice of an export, including the upload of its part. */
const MAX_ATTEMPT_MS = 30_000;

/** Pool of exports of lists and archives. */
export const exportsPool: PoolDefinition = {
  pool: 'exports',
  retriesFaults: false,
  create: (platform) =>
    Promise.resolve({
      activities: createExportActivities(platform),
      slots: SLOTS,
      maxAttemptMs: MAX_ATTEMPT_MS,
      // No engine to check; MongoDB, Temporal and the object store are checked for every pool.
      health: () => Promise.resolve(),
      close: () => Promise.resolve(),
    }),
};
