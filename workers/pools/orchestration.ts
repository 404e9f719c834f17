import { createAmlRecordsActivities } from '../../activities/records/aml';
import { createErasureActivities } from '../../activities/records/erasure';
import { createExportRecordsActivities } from '../../activities/records/exports';
import { createFaceRecordsActivities } from '../../activities/records/faces';
import { createIdentityRecordsActivities } from '../../activities/records/identity';
import { createInvariantActivities } from '../../activities/records/invariants';
import { createKybRecordsActivities } from '../../activities/records/kyb';
import { createMaintenanceActivities } from '../../activities/records/maintenance';
import { createRegisterRecordsActivities } from '../../activities/records/registers';
import { createReminderActivities } from '../../activities/records/reminders';
import { createRenditionRecordsActivities } from '../../activities/records/renditions';
import { createWebhookRecordsActivities } from '../../activities/records/webhooks';
import { startLostReaderSweep } from '../../services/platform/transactions/lost-readers';
import { startRelay } from '../../services/platform/transactions/relay';
import { getWorkflowBundlePath } from '../bundle';
import type { PoolDefinition } from '../pool';

/** Pool of all workflows, their short MongoDB activities, and the outbox relay. */
export const orchestrationPool: PoolDefinition = {
  pool: 'orchestration',
  retriesFaults: true,
  create(platform) {
    const [relay, lostReaderSweep] = [startRelay(platform), startLostReaderSweep(platform)];
    return Promise.resolve({
      activities: {
        ...createMaintenanceActivities(platform),
        ...createInvariantActivities(platform),
        ...createAmlRecordsActivities(platform),
        ...createRenditionRecordsActivities(platform),
        ...createReminderActivities(platform),
        ...createExportRecordsActivities(platform),
        ...createIdentityRecordsActivities(platform),
        ...createRegisterRecordsActivities(platform),
        ...createKybRecordsActivities(platform),
        ...createErasureActivities(platform),
        ...createWebhookRecordsActivities(platform),
        ...createFaceRecordsActivities(platform),
      },
      slots: 40,
      maxAttemptMs: 10_000,
      workerOptions: {
        workflowBundle: { codePath: getWorkflowBundlePath() },
        maxConcurrentWorkflowTaskExecutions: 40,
        maxCachedWorkflows: 500,
        // Tasks of the workflows that a killed worker had in its cache wait this long for it; the SDK's default is 10 s.
        stickyQueueScheduleToStartTimeout: '5 seconds',
      },
      health: () => Promise.resolve(),
      close: async () => {
        await Promise.all([relay.stop(), lostReaderSweep.stop()]);
      },
    });
  },
};
