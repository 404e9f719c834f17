import { createCheckActivities } from '../../activities/checks';
import { validatePerson } from '../../activities/screening/database';
import { createKybActivities } from '../../activities/screening/kyb/activities';
import { createKybScreeningActivities } from '../../activities/screening/kyb/screening';
import { createAmlActivities, screenCheckSubject } from '../../activities/screening/aml';
import { createScreeningEngine } from '../../activities/screening/engine';
import { createListActivities } from '../../activities/screening/lists';
import { createRegisterImportActivities } from '../../activities/screening/registers';
import { createEgress } from '../../lib/egress/egress';
import { SECOND_QUEUES } from '../../workflows/contracts';
import type { PoolDefinition } from '../pool';

/** Lookups mostly wait for MongoDB; importing a register occupies a slot for seconds. */
const SLOTS = 4;
/** Queries of registers of companies at the same time. They wait for the network, up to 15 seconds for each response. */
const REGISTER_SLOTS = 16;
/** The next attempt reads again what an interrupted import had not stored. */
const MAX_ATTEMPT_MS = 30_000;

/** Pool of imports and lookups of registers and watch lists. */
export const screeningPool: PoolDefinition = {
  pool: 'screening',
  retriesFaults: false,
  create(platform, { screening: threads }) {
    const egress = createEgress({ allow: platform.config.EGRESS_ALLOW, dnsServers: platform.config.DNS_SERVERS });
    const engine = createScreeningEngine({ threads });
    const registers = createKybActivities(platform, egress);
    return Promise.resolve({
      activities: {
        ...createRegisterImportActivities(platform),
        // Compatibility with checks whose registers an earlier version asked on this queue.
        ...registers,
        ...createKybScreeningActivities(platform, engine),
        ...createCheckActivities<'screening'>(platform, {
          database_validation: ({ check, images }) =>
            validatePerson(platform, check, check.details, images.has('image')),
          aml_screening: ({ check }) => screenCheckSubject(platform, engine, check),
        }),
        ...createAmlActivities(platform, engine),
        ...createListActivities(platform, engine, egress),
      },
      slots: SLOTS,
      second: { taskQueue: SECOND_QUEUES.screening, activities: registers, slots: REGISTER_SLOTS },
      maxAttemptMs: MAX_ATTEMPT_MS,
      // Terminated threads are replaced; MongoDB and Temporal are checked for every pool.
      health: () => Promise.resolve(),
      async close() {
        await engine.close();
        await egress.close();
      },
    });
  },
};
