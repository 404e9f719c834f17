import type { ActivityOptions, WorkflowIdReusePolicy } from '@temporalio/common';
import { MINUTE_MS } from '../domain/durations';
import type { CheckKind } from '../domain/identity/checks/checks';
import type { KybProviderName } from '../domain/identity/kyb/company';
import type { SessionProgress } from '../domain/identity/sessions/progress';

/**
 * The interface between workflows and the rest of the service: queue names, workflow names with their arguments, workflow
 * ids, signals, timeouts and retry policies. It contains no workflow code, so that services can import it.
 */

/** Task queues, one for each worker pool. */
export const QUEUES = {
  orchestration: 'vouch-orchestration',
  vision: 'vouch-vision',
  rendering: 'vouch-rendering',
  delivery: 'vouch-delivery',
  screening: 'vouch-screening',
  exports: 'vouch-exports',
} as const;

export type Pool = keyof typeof QUEUES;

export const isPool = (name: string): name is Pool => Object.hasOwn(QUEUES, name);

/** Every worker pool. */
export const POOL_NAMES: readonly Pool[] = Object.keys(QUEUES).filter(isPool);

/** A second queue of a pool, whose activities have slots of their own in each process. */
export const SECOND_QUEUES = {
  rendering: 'vouch-rendering-bulk',
  screening: 'vouch-screening-registers',
} as const satisfies Partial<Record<Pool, string>>;

/** Identifies a webhook and its tenant. */
export interface WebhookReference {
  webhookId: string;
  organisationId: string;
  mode: 'live' | 'test';
}

/** The recovery of a webhook: its id and the span of missed events (ISO 8601, both ends inclusive). */
export interface WebhookRecovery extends WebhookReference {
  since: string;
  until: string;
  /** Position where the previous run stopped; null in the first run. */
  cursor: RecoveryCursor | null;
  /**
   * Until when events may occur whose transaction still saw the webhook as disabled. Absent in recoveries of earlier
   * versions.
   */
  lateUntil?: string;
  /** Only events without any delivery: those whose transaction was running when the webhook was enabled. */
  late?: boolean;
}

/**
 * Every transaction has ended within this time: it is not repeated after 30 seconds, and MongoDB ends it after 60 by
 * default, or up to half as much again (`transactionLifetimeLimitSeconds`).
 */
export const MAX_OPEN_TRANSACTION_MS = 3 * MINUTE_MS;

/** The last processed event. */
export interface RecoveryCursor {
  occurredAt: string;
  eventId: string;
}

/** Parts of the object store, in the order in which they are swept. */
export const OBJECT_AREAS = ['evidence', 'lists', 'business'] as const;

export type ObjectArea = (typeof OBJECT_AREAS)[number];

/** How far the object store has been swept. */
export interface SweepProgress {
  area: ObjectArea;
  /** The last key of the area that was looked at; null at its beginning. */
  after: string | null;
  /** Number of objects removed so far. */
  removed: number;
}

/** How far monitored subjects have been compared with a version of a list. */
export interface RescreeningProgress {
  /** The last monitor of this pass; null at its beginning. */
  after: string | null;
  /** The monitors of this pass; null for all. */
  only: string[] | null;
  impact: { monitors: number; affected: number };
  /** Number of monitors of this pass that failed, and the ids of the first ones. */
  failures: number;
  failed: string[];
  /** Number of passes before this one. */
  passes: number;
}

/**
 * Names of the workflow and the activity that render documents of every kind and format. They date from when only
 * invoices were rendered; the histories of running workflows contain them, so they cannot change.
 */
export const DOCUMENT_RENDITION_WORKFLOW = 'invoicePdf';
export const RENDER_DOCUMENT_ACTIVITY = 'renderInvoice';

/** Arguments of each workflow: ids and codes only, never personal data. */
export interface WorkflowArguments {
  verification: { sessionId: string; opening: number; organisationId: string; progress: SessionProgress };
  /** Sessions started by version 0.1. */
  session: { sessionId: string; opening: number; linkTtlSeconds: number; abandonAfterSeconds: number };
  /** Checks outside a session, and those submitted after its decision. */
  check: { checkId: string; kind: CheckKind; organisationId: string };
  /** Of earlier versions: one delivery. Its next attempt hands the delivery over to {@link webhookDeliveries}. */
  webhookDelivery: { deliveryId: string; organisationId: string };
  webhookDeliveries: WebhookReference;
  webhookRecovery: WebhookRecovery;
  /** Of a document that failed in {@link documentRenditions}. */
  [DOCUMENT_RENDITION_WORKFLOW]: { renditionId: string; organisationId: string };
  documentRenditions: { organisationId: string };
  /** The queued e-mail messages of an organisation. */
  messageDeliveries: { organisationId: string };
  reminderSchedule: { organisationId: string };
  /** The VAT identifiers of an organisation that are to be verified. */
  taxIdVerifications: { organisationId: string };
  /** `documents`: an archive of printed documents instead of rows. */
  dataExport: { exportId: string; organisationId: string; documents: boolean };
  erasure: { erasureId: string };
  registerImport: { registerId: string; organisationId: string };
  evidenceRendition: { renditionId: string; organisationId: string; kind: 'report' | 'preview' };
  applyRetention: Record<string, never>;
  kyb: { kybId: string; organisationId: string; providers: KybProviderName[] };
  lapseApprovals: Record<string, never>;
  faceIndexing: { faceId: string; organisationId: string };
  amlScreening: { screeningId: string; organisationId: string };
  /** Position where the previous run stopped; absent in the first run. */
  amlListChanged: { versionId: string; progress?: RescreeningProgress };
  refreshLists: Record<string, never>;
  sealAudit: Record<string, never>;
  rotateKeys: Record<string, never>;
  /** Position where the previous run stopped; absent in the first run. */
  sweepObjects: { progress?: SweepProgress };
  countStatistics: Record<string, never>;
  companyInvariants: { organisationId: string };
  /** Position where the previous run stopped; absent in the first run. */
  checkInvariants: { after?: string | null; counts?: { held: number; broken: number; failed: number } };
}

export type WorkflowName = keyof WorkflowArguments;

/** What happened to a session, with its progress since then: a repeated or late signal has no higher version. */
export interface SessionNews {
  outboxId: string;
  progress: SessionProgress;
}

/** The signal that reports a submitted check, by kind: what the person or the client has sent. */
export const SUBMISSION_SIGNALS = {
  id_verification: 'documentSubmitted',
  liveness: 'selfieSubmitted',
  face_match: 'facesSubmitted',
  age: 'agePhotoSubmitted',
  face_search: 'searchPhotoSubmitted',
  database_validation: 'personalDetailsSubmitted',
  proof_of_address: 'proofOfAddressSubmitted',
  aml_screening: 'screeningRequested',
} as const satisfies Record<CheckKind, string>;

/** The other signals of a session. */
export const SESSION_SIGNALS = ['reviewerDecided', 'sessionCancelled', 'hitsReviewed'] as const;

export type SessionSignal = (typeof SUBMISSION_SIGNALS)[CheckKind] | (typeof SESSION_SIGNALS)[number];

/** Signals that a session of version 0.1 changed; the workflow reads the change from MongoDB. */
export interface SessionChanged {
  outboxId: string;
  kind: 'opened' | 'check_completed' | 'decided' | 'deleted';
}

/** Notifies a workflow that works off pending rows of further ones. */
export interface BacklogAdded {
  outboxId: string;
}

/** Makes a webhook delivery of an earlier version attempt again without waiting for its retry delay. */
export interface AttemptNow {
  outboxId: string;
}

/** Arguments of each signal, by name. */
export interface SignalArguments extends Record<SessionSignal, SessionNews> {
  sessionChanged: SessionChanged;
  attemptNow: AttemptNow;
  backlogAdded: BacklogAdded;
}

export type SignalName = keyof SignalArguments;

/** Workflows that work off pending rows until none is left: they are woken, not started. */
export type BacklogWorkflowName =
  | 'webhookDeliveries'
  | 'documentRenditions'
  | 'messageDeliveries'
  | 'reminderSchedule'
  | 'taxIdVerifications';

/** Most workflows are never started again with the same id; a rendering can be restarted after a failure. */
export const WORKFLOW_ID_REUSE: Record<WorkflowName, WorkflowIdReusePolicy> = {
  verification: 'REJECT_DUPLICATE',
  session: 'REJECT_DUPLICATE',
  check: 'REJECT_DUPLICATE',
  webhookDelivery: 'REJECT_DUPLICATE',
  webhookDeliveries: 'ALLOW_DUPLICATE',
  webhookRecovery: 'REJECT_DUPLICATE',
  [DOCUMENT_RENDITION_WORKFLOW]: 'ALLOW_DUPLICATE_FAILED_ONLY',
  documentRenditions: 'ALLOW_DUPLICATE',
  messageDeliveries: 'ALLOW_DUPLICATE',
  reminderSchedule: 'ALLOW_DUPLICATE',
  taxIdVerifications: 'ALLOW_DUPLICATE',
  dataExport: 'REJECT_DUPLICATE',
  erasure: 'REJECT_DUPLICATE',
  registerImport: 'REJECT_DUPLICATE',
  evidenceRendition: 'ALLOW_DUPLICATE_FAILED_ONLY',
  applyRetention: 'ALLOW_DUPLICATE',
  kyb: 'REJECT_DUPLICATE',
  lapseApprovals: 'ALLOW_DUPLICATE',
  faceIndexing: 'REJECT_DUPLICATE',
  amlScreening: 'REJECT_DUPLICATE',
  amlListChanged: 'ALLOW_DUPLICATE_FAILED_ONLY',
  refreshLists: 'ALLOW_DUPLICATE',
  sealAudit: 'ALLOW_DUPLICATE',
  rotateKeys: 'ALLOW_DUPLICATE',
  sweepObjects: 'ALLOW_DUPLICATE',
  countStatistics: 'ALLOW_DUPLICATE',
  companyInvariants: 'REJECT_DUPLICATE',
  checkInvariants: 'ALLOW_DUPLICATE',
};

/** Workflow ids, derived from globally unique ids, without slashes. */
export const workflowIds = {
  /** A session reopened by an override gets a new workflow; `opening` is part of its id. */
  session: (sessionId: string, opening = 1): string => (opening === 1 ? sessionId : `${sessionId}.${opening}`),
  check: (checkId: string): string => checkId,
  webhookDeliveries: (webhookId: string): string => `${webhookId}.deliveries`,
  erasure: (erasureId: string): string => erasureId,
  registerImport: (registerId: string): string => registerId,
  /** `startedAtMs` distinguishes the recoveries of one webhook. */
  webhookRecovery: (webhookId: string, startedAtMs: number): string => `${webhookId}.recovery.${startedAtMs}`,
  /** `requestedAtMs` distinguishes the checks of one company. */
  companyInvariants: (organisationId: string, requestedAtMs: number): string =>
    `${organisationId}.invariants.${requestedAtMs}`,
  evidenceRendition: (renditionId: string): string => renditionId,
  kyb: (kybId: string): string => kybId,
  dataExport: (exportId: string): string => exportId,
  faceIndexing: (faceId: string): string => faceId,
  amlScreening: (screeningId: string): string => screeningId,
  amlListChanged: (versionId: string): string => versionId,
  documentRenditions: (organisationId: string): string => `${organisationId}.renditions`,
  messageDeliveries: (organisationId: string): string => `${organisationId}.messages`,
  reminderSchedule: (organisationId: string): string => `${organisationId}.reminders`,
  taxIdVerifications: (organisationId: string): string => `${organisationId}.tax-ids`,
  documentRendition: (organisationId: string, documentId: number, format: string, contentHash: string): string =>
    `${organisationId}.invoice-pdf.${documentId}.${format}.${contentHash}`,
};

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

/** Names of the registered search attributes. */
export const SEARCH_ATTRIBUTES = {
  organisation: 'VouchOrg',
  status: 'VouchStatus',
  feature: 'VouchFeature',
  session: 'VouchSession',
} as const;
