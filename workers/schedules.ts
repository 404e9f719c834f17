import type { ScheduledWorkflow } from '../lib/temporal';
import { QUEUES } from '../workflows/contracts';

/** Temporal Schedules, registered by ensureTemporal() at every start. */
export const SCHEDULES: readonly ScheduledWorkflow[] = [
  { scheduleId: 'seal-audit', workflowType: 'sealAudit', taskQueue: QUEUES.orchestration, everySeconds: 60 },
  {
    scheduleId: 'apply-retention',
    workflowType: 'applyRetention',
    taskQueue: QUEUES.orchestration,
    everySeconds: 3600,
  },
  {
    scheduleId: 'lapse-approvals',
    workflowType: 'lapseApprovals',
    taskQueue: QUEUES.orchestration,
    everySeconds: 300,
  },
  {
    scheduleId: 'sweep-objects',
    workflowType: 'sweepObjects',
    taskQueue: QUEUES.orchestration,
    everySeconds: 6 * 3600,
  },
  {
    scheduleId: 'rotate-keys',
    workflowType: 'rotateKeys',
    taskQueue: QUEUES.orchestration,
    everySeconds: 6 * 3600,
  },
  {
    scheduleId: 'check-invariants',
    workflowType: 'checkInvariants',
    taskQueue: QUEUES.orchestration,
    everySeconds: 6 * 3600,
  },
  {
    scheduleId: 'count-statistics',
    workflowType: 'countStatistics',
    taskQueue: QUEUES.orchestration,
    everySeconds: 3600,
  },
  { scheduleId: 'refresh-lists', workflowType: 'refreshLists', taskQueue: QUEUES.orchestration, everySeconds: 3600 },
];
