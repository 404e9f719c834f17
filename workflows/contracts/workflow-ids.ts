import type { WorkflowIdReusePolicy } from '@temporalio/common';
import { DOCUMENT_RENDITION_WORKFLOW } from './workflow-arguments';
import type { WorkflowName } from './workflow-arguments';

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
