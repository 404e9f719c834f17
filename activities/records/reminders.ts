import { findSecondsToNextRun, queueDueReminders } from '../../services/business/messages/reminder-runs';
import type { ReminderPosition } from '../../services/business/messages/reminders';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

const HEARTBEAT_MS = 5000;

export const createReminderActivities = (platform: Platform) => ({
  /** Seconds until due reminders are sent next; null while the company sends them only on request. */
  planReminders: ({ organisationId }: { organisationId: string }): Promise<number | null> =>
    findSecondsToNextRun(platform, organisationId),

  /** Queues the due reminders of a batch of overdue invoices. */
  queueReminders: ({ organisationId, after }: { organisationId: string; after: ReminderPosition | null }) =>
    withHeartbeat(HEARTBEAT_MS, () => queueDueReminders(platform, organisationId, after)),
});

export type ReminderActivities = ReturnType<typeof createReminderActivities>;
