import { createDeliveryActivities } from '../../activities/delivery/activities';
import { createMessageActivities } from '../../activities/delivery/messages';
import { OrganisationSlots } from '../../activities/delivery/organisation-slots';
import { createTaxIdActivities } from '../../activities/delivery/tax-ids';
import { ATTEMPT_TIMEOUT_SECONDS } from '../../domain/platform/webhooks/response';
import { createEgress } from '../../lib/egress/egress';
import type { PoolDefinition } from '../pool';
import { createStoppingSignal } from '../stopping';

/** Webhooks and mail servers to which this process delivers at the same time. Attempts mostly wait for the network. */
const SLOTS = 100;
/** Half of them, so that receivers of one organisation that do not answer do not delay the deliveries of others. */
const MAX_WEBHOOKS_PER_ORGANISATION = SLOTS / 2;

/** Pool of webhook deliveries, e-mail and queries of VAT identifiers. */
export const deliveryPool: PoolDefinition = {
  pool: 'delivery',
  retriesFaults: true,
  create(platform) {
    const egress = createEgress({ allow: platform.config.EGRESS_ALLOW, dnsServers: platform.config.DNS_SERVERS });
    const stopping = createStoppingSignal();
    const slots = new OrganisationSlots(MAX_WEBHOOKS_PER_ORGANISATION);
    return Promise.resolve({
      activities: {
        ...createDeliveryActivities(platform, egress, stopping, slots),
        ...createMessageActivities(platform, egress, stopping),
        ...createTaxIdActivities(platform, egress, stopping),
      },
      slots: SLOTS,
      maxAttemptMs: ATTEMPT_TIMEOUT_SECONDS * 1000,
      // No engine to check; MongoDB and Temporal are checked for every pool.
      health: () => Promise.resolve(),
      close: () => egress.close(),
    });
  },
};
