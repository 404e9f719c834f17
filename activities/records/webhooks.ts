import type { Platform } from '../../services/platform/platform';
import { recoverBatch } from '../../services/platform/webhooks/recovery';
import type { RecoveredBatch } from '../../services/platform/webhooks/recovery';
import type { WebhookRecovery } from '../../workflows/contracts';

/** Short, idempotent writes for webhooks. */
export interface WebhookRecordsActivities {
  /** Enqueues deliveries of the next events that a webhook missed; `next` is null after the last batch. */
  recoverDeliveries: (recovery: WebhookRecovery) => Promise<RecoveredBatch>;
}

/** The activities that recover missed events. */
export const createWebhookRecordsActivities = (platform: Platform): WebhookRecordsActivities => ({
  recoverDeliveries: (recovery) => recoverBatch(platform, recovery),
});
