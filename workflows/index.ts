export { check } from './check';
export { sealAudit, sweepObjects } from './maintenance';
export { session } from './session';
export { webhookDelivery } from './webhook-delivery';
