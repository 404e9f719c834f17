import { createDeliveryActivities } from '../../activities/delivery/activities';
import { ATTEMPT_TIMEOUT_SECONDS } from '../../domain/platform/webhooks/response';
import { createEgress } from '../../lib/egress/egress';
import type { PoolDefinition } from '../pool';

/** Attempts only wait for the network, so many share a process. */
const SLOTS = 50;

/** Webhook attempts. */
export const deliveryPool: PoolDefinition = {
  pool: 'delivery',
  create(platform) {
    const egress = createEgress({ allow: platform.config.EGRESS_ALLOW });
    return Promise.resolve({
      activities: createDeliveryActivities(platform, egress),
      slots: SLOTS,
      maxAttemptMs: ATTEMPT_TIMEOUT_SECONDS * 1000,
      // It has no engine of its own: MongoDB and Temporal are checked for every pool.
      health: () => Promise.resolve(),
      close: () => egress.close(),
    });
  },
};
