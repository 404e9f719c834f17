export { check } from './check';
export { erasure } from './erasure';
export { evidenceRendition } from './evidence-rendition';
export { invoicePdf } from './invoice-pdf';
export { applyRetention, sealAudit, sweepObjects } from './maintenance';
export { registerImport } from './register-import';
export { session } from './session';
export { webhookDelivery } from './webhook-delivery';
export { webhookRecovery } from './webhook-recovery';
