import type { ActivityOptions, WorkflowIdReusePolicy } from '@temporalio/common';
import type { CheckKind } from '../domain/identity/checks/checks';
import type { KybProviderName } from '../domain/identity/kyb/company';

/**
 * What the rest of the service knows of the workflows: queue names, workflow names with their arguments, id makers,
 * signals, and every timeout and retry policy. No code runs here, so that services may import it.
 */

/** Task queues, one a worker pool. */
export const QUEUES = {
  orchestration: 'vouch-orchestration',
  vision: 'vouch-vision',
  rendering: 'vouch-rendering',
  delivery: 'vouch-delivery',
  screening: 'vouch-screening',
  exports: 'vouch-exports',
} as const;

export type Pool = keyof typeof QUEUES;

/** Which webhook sends again what it missed, and of which time (ISO 8601, both ends included). */
export interface WebhookRecovery {
  webhookId: string;
  organisationId: string;
  mode: 'live' | 'test';
  since: string;
  until: string;
  /** Where an earlier run stopped; null at the beginning. */
  cursor: RecoveryCursor | null;
}

/** The last event looked at. */
export interface RecoveryCursor {
  occurredAt: string;
  eventId: string;
}

/**
 * Names of the workflow and the activity that render documents of every kind and format. They date from when only
 * invoices were rendered; the histories of running workflows contain them, so they cannot change.
 */
export const DOCUMENT_RENDITION_WORKFLOW = 'invoicePdf';
export const RENDER_DOCUMENT_ACTIVITY = 'renderInvoice';

/** Arguments of each workflow: ids and codes only, never personal data. */
export interface WorkflowArguments {
  session: { sessionId: string; opening: number; linkTtlSeconds: number; abandonAfterSeconds: number };
  check: { checkId: string; kind: CheckKind; organisationId: string };
  webhookDelivery: { deliveryId: string; organisationId: string };
  webhookRecovery: WebhookRecovery;
  [DOCUMENT_RENDITION_WORKFLOW]: { renditionId: string; organisationId: string };
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
  amlListChanged: { versionId: string };
  refreshLists: Record<string, never>;
  sealAudit: Record<string, never>;
  sweepObjects: Record<string, never>;
  companyInvariants: { organisationId: string };
  /** Where an earlier run stopped; nothing at the beginning. */
  checkInvariants: { after?: string | null; counts?: { held: number; broken: number; failed: number } };
}

export type WorkflowName = keyof WorkflowArguments;

/** Something about a session changed in MongoDB; the workflow looks there for what. `outboxId` makes it count once. */
export interface SessionChanged {
  outboxId: string;
  kind: 'opened' | 'check_completed' | 'decided' | 'deleted';
}

/** Arguments of each signal, by name. */
export interface SignalArguments {
  sessionChanged: SessionChanged;
}

export type SignalName = keyof SignalArguments;

/** A workflow that happens once is never started again under its id; a render may be, once it has failed. */
export const WORKFLOW_ID_REUSE: Record<WorkflowName, WorkflowIdReusePolicy> = {
  session: 'REJECT_DUPLICATE',
  check: 'REJECT_DUPLICATE',
  webhookDelivery: 'REJECT_DUPLICATE',
  webhookRecovery: 'REJECT_DUPLICATE',
  [DOCUMENT_RENDITION_WORKFLOW]: 'ALLOW_DUPLICATE_FAILED_ONLY',
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
  sweepObjects: 'ALLOW_DUPLICATE',
  companyInvariants: 'REJECT_DUPLICATE',
  checkInvariants: 'ALLOW_DUPLICATE',
};

/** Workflow ids: pure functions of globally unique ids, without slashes. */
export const workflowIds = {
  /** A finished session that an override reopens is followed by its next workflow. */
  session: (sessionId: string, opening = 1): string => (opening === 1 ? sessionId : `${sessionId}.${opening}`),
  check: (checkId: string): string => checkId,
  webhookDelivery: (deliveryId: string): string => deliveryId,
  erasure: (erasureId: string): string => erasureId,
  registerImport: (registerId: string): string => registerId,
  /** `startedAtMs` tells two recoveries of one webhook apart. */
  webhookRecovery: (webhookId: string, startedAtMs: number): string => `${webhookId}.recovery.${startedAtMs}`,
  /** `requestedAtMs` tells two looks at one company apart. */
  companyInvariants: (organisationId: string, requestedAtMs: number): string =>
    `${organisationId}.invariants.${requestedAtMs}`,
  evidenceRendition: (renditionId: string): string => renditionId,
  kyb: (kybId: string): string => kybId,
  dataExport: (exportId: string): string => exportId,
  faceIndexing: (faceId: string): string => faceId,
  amlScreening: (screeningId: string): string => screeningId,
  amlListChanged: (versionId: string): string => versionId,
  documentRendition: (organisationId: string, documentId: number, format: string, contentHash: string): string =>
    `${organisationId}.invoice-pdf.${documentId}.${format}.${contentHash}`,
};

const RETRY_UNTIL_DONE = {
  initialInterval: '200 milliseconds',
  backoffCoefficient: 2,
  maximumInterval: '30 seconds',
} as const;

/** Activity options by pool. CPU pools give up after four attempts; records are written until they are. */
export const ACTIVITY_OPTIONS = {
  records: {
    taskQueue: QUEUES.orchestration,
    startToCloseTimeout: '10 seconds',
    retry: RETRY_UNTIL_DONE,
  },
  /** Writes of any length: upkeep, erasure. */
  upkeep: {
    taskQueue: QUEUES.orchestration,
    startToCloseTimeout: '10 minutes',
    heartbeatTimeout: '30 seconds',
    retry: RETRY_UNTIL_DONE,
  },
  /** A look at all of a company's records; one that keeps failing makes room for the next company. */
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
    scheduleToCloseTimeout: '30 minutes',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumAttempts: 4 },
  },
  rendering: {
    taskQueue: QUEUES.rendering,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '15 seconds',
    scheduleToCloseTimeout: '30 minutes',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumAttempts: 4 },
  },
  /** Printing many documents for an archive, each of them stored as soon as it is printed. */
  bulkRendering: {
    taskQueue: QUEUES.rendering,
    startToCloseTimeout: '5 minutes',
    heartbeatTimeout: '15 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 4 },
  },
  /** Writing lists to the object store, part by part; an attempt goes on where the last one stood. */
  exports: {
    taskQueue: QUEUES.exports,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '15 seconds',
    retry: {
      initialInterval: '500 milliseconds',
      backoffCoefficient: 2,
      maximumInterval: '30 seconds',
      maximumAttempts: 8,
    },
  },
  /** Look-ups in lists and registers. */
  screening: {
    taskQueue: QUEUES.screening,
    startToCloseTimeout: '60 seconds',
    heartbeatTimeout: '15 seconds',
    scheduleToCloseTimeout: '30 minutes',
    retry: { initialInterval: '500 milliseconds', backoffCoefficient: 2, maximumAttempts: 4 },
  },
  /** Reading whole lists and registers. */
  imports: {
    taskQueue: QUEUES.screening,
    startToCloseTimeout: '30 minutes',
    heartbeatTimeout: '15 seconds',
    scheduleToCloseTimeout: '2 hours',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumAttempts: 4 },
  },
  delivery: {
    taskQueue: QUEUES.delivery,
    startToCloseTimeout: '30 seconds',
    heartbeatTimeout: '10 seconds',
    retry: { initialInterval: '1 second', backoffCoefficient: 2, maximumInterval: '1 minute' },
  },
} as const satisfies Record<string, ActivityOptions>;

/** Names of the registered search attributes. */
export const SEARCH_ATTRIBUTES = { organisation: 'VouchOrg', status: 'VouchStatus', feature: 'VouchFeature' } as const;
