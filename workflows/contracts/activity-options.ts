import type { ActivityOptions } from '@temporalio/common';
import { QUEUES, SECOND_QUEUES } from './queues';

const RETRY_UNTIL_DONE = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
} as const;

/**
 * Attempts are not limited by the policy: the worker makes a fault of the input final (`workers/attempts.ts`), and
 * repeats what an outage interrupted until it ends.
 */
const RETRY_AFTER_OUTAGES = {
  initialInterval: '500 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '10 seconds',
} as const;

const RETRY_DELIVERIES = {
  initialInterval: '1 second',
  backoffCoefficient: 2,
  maximumInterval: '1 minute',
} as const;

/**
 * Of activities that work off a backlog: new requests wait for them, so a dead worker is noticed as soon as a process
 * counts as dead. Their heartbeats are sent every second (`workers/run.ts`), also while the event loop stands still.
 */
const SHARED_HEARTBEAT_TIMEOUT = '5 seconds';

/** Activity options by pool. No schedule-to-close timeout: work waits for as long as an outage or a queue lasts. */
export const ACTIVITY_OPTIONS = {
  records: {
    taskQueue: QUEUES.orchestration,
    startToCloseTimeout: '10 seconds',
    retry: RETRY_UNTIL_DONE,
  },
  /** Writes of any duration, such as maintenance and erasure. */
  upkeep: {
    taskQueue: QUEUES.orchestration,
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '30 seconds',
    retry: RETRY_UNTIL_DONE,
  },
  /** Integrity checks of all records of a company; after repeated failures the next company is checked. */
  invariants: {
    taskQueue: QUEUES.orchestration,
    startToCloseTimeout: '1 hour',
    heartbeatTimeout: '30 seconds',
    retry: { ...RETRY_UNTIL_DONE, maximumAttempts: 5 },
  },
  vision: {
    taskQueue: QUEUES.vision,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  rendering: {
    taskQueue: QUEUES.rendering,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Rendering of archives, on a queue of its own: it never takes the slots of single documents. */
  bulkRendering: {
    taskQueue: SECOND_QUEUES.rendering,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Rendering of the documents that wait in an organisation. */
  sharedRendering: {
    taskQueue: QUEUES.rendering,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: SHARED_HEARTBEAT_TIMEOUT,
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Writing lists to the object store in parts; an attempt resumes where the previous one stopped. */
  exports: {
    taskQueue: QUEUES.exports,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Lookups in lists and in registers of persons. */
  screening: {
    taskQueue: QUEUES.screening,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /**
   * Queries of registers of companies, on a queue of their own: registers that do not answer take no slots from
   * screenings. A query has several requests, each of which may take fifteen seconds.
   */
  registers: {
    taskQueue: SECOND_QUEUES.screening,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Lookups of all parties of a company, of which a large one has thousands. */
  partyScreening: {
    taskQueue: QUEUES.screening,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Imports of complete lists and registers. */
  imports: {
    taskQueue: QUEUES.screening,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '15 seconds',
    retry: RETRY_AFTER_OUTAGES,
  },
  /** Short writes of the pool that delivers. */
  delivery: {
    taskQueue: QUEUES.delivery,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '10 seconds',
    retry: RETRY_DELIVERIES,
  },
  /** Messages: a server may examine one for ten minutes before it responds. */
  messages: {
    taskQueue: QUEUES.delivery,
    startToCloseTimeout: '15 minutes',
    heartbeatTimeout: SHARED_HEARTBEAT_TIMEOUT,
    retry: RETRY_DELIVERIES,
  },
  /** Many attempts: an activity takes new deliveries for a limited time and then waits for the responses. */
  sharedDelivery: {
    taskQueue: QUEUES.delivery,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: SHARED_HEARTBEAT_TIMEOUT,
    retry: RETRY_DELIVERIES,
  },
} as const satisfies Record<string, ActivityOptions>;
