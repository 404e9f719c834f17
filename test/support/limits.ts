import { MINUTE_MS } from '../../domain/durations';

/**
 * How long a test waits for one thing that must happen, ms. No test depends on time: the limit ends a wait for what never
 * happens, names it, and is long enough for a machine that is many times slower or busier than usual. It is shorter than
 * jest's `testTimeout`, so that the message of the wait is what the run reports.
 */
export const EVENT_LIMIT_MS = 5 * MINUTE_MS;

/** How long a started process may take until it is ready or has ended, ms. */
export const PROCESS_LIMIT_MS = 8 * MINUTE_MS;
