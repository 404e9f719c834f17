import type { CheckKind } from '../../domain/identity/checks/checks';
import type { KybProviderName } from '../../domain/identity/kyb/company';
import type { SessionProgress } from '../../domain/identity/sessions/progress';

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

/** Workflows that work off pending rows until none is left: they are woken, not started. */
export type BacklogWorkflowName =
  | 'webhookDeliveries'
  | 'documentRenditions'
  | 'messageDeliveries'
  | 'reminderSchedule'
  | 'taxIdVerifications';
