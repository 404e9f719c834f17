import { createDeliveryActivities } from '../../activities/delivery/activities';
import { ATTEMPT_TIMEOUT_SECONDS } from '../../domain/platform/webhooks/response';
import { createEgress } from '../../lib/egress/egress';
import type { PoolDefinition } from '../pool';

/** Attempts mostly wait for the network, so many can run in one process. */
const SLOTS = 50;

/** Pool of webhook deliveries. */
export const deliveryPool: PoolDefinition = {
  pool: 'delivery',
  retriesFaults: true,
  create(platform) {
    const egress = createEgress({ allow: platform.config.EGRESS_ALLOW, dnsServers: platform.config.DNS_SERVERS });
    return Promise.resolve({
      activities: createDeliveryActivities(platform, egress),
      slots: SLOTS,
      maxAttemptMs: ATTEMPT_TIMEOUT_SECONDS * 1000,
      // No engine to check; MongoDB and Temporal are checked for every pool.
      health: () => Promise.resolve(),
      close: () => egress.close(),
    });
  },
};
