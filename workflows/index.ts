export { amlListChanged, refreshLists } from './identity/aml-lists';
export { amlScreening } from './identity/aml-screening';
export { check } from './identity/check';
export { dataExport } from './business/data-export';
export { erasure } from './identity/erasure';
export { evidenceRendition } from './identity/evidence-rendition';
export { faceIndexing } from './identity/face-indexing';
export { checkInvariants, companyInvariants } from './business/invariants';
export { documentRenditions } from './business/document-renditions';
export { messageDeliveries } from './business/message-deliveries';
export { invoicePdf } from './business/document-rendition';
export { kyb } from './identity/kyb';
export {
  applyRetention,
  countStatistics,
  lapseApprovals,
  rotateKeys,
  sealAudit,
  sweepObjects,
} from './platform/maintenance';
export { registerImport } from './identity/register-import';
export { reminderSchedule } from './business/reminder-schedule';
export { taxIdVerifications } from './business/tax-id-verifications';
export { session } from './identity/session';
export { verification } from './identity/verification';
export { webhookDeliveries } from './platform/webhook-deliveries';
export { webhookDelivery } from './platform/webhook-delivery';
export { webhookRecovery } from './platform/webhook-recovery';
