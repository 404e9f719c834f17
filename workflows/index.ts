export { check } from './check';
export { erasure } from './erasure';
export { evidenceRendition } from './evidence-rendition';
export { invoicePdf } from './invoice-pdf';
export { registerImport } from './register-import';
export { sealAudit, sweepObjects } from './maintenance';
export { session } from './session';
export { webhookDelivery } from './webhook-delivery';
export { webhookRecovery } from './webhook-recovery';
