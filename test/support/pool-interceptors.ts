import pino from 'pino';
import type { WorkerInterceptors } from '@temporalio/worker';
import { createActivityInterceptors } from '../../workers/interceptors';

const logger = pino({ level: 'silent' });

/** The interceptors of a worker whose activities are not repeated after too many faults, and of the other workers. */
export const POOL_INTERCEPTORS: WorkerInterceptors = {
  activity: [createActivityInterceptors(logger, { retriesFaults: false })],
};
export const RECORDS_INTERCEPTORS: WorkerInterceptors = {
  activity: [createActivityInterceptors(logger, { retriesFaults: true })],
};
