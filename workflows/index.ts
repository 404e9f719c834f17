export { check } from './check';
export { erasure } from './erasure';
export { invoicePdf } from './invoice-pdf';
export { sealAudit, sweepObjects } from './maintenance';
export { session } from './session';
export { webhookDelivery } from './webhook-delivery';
