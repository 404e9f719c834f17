import { finishRequest, planReminders, queueDueReminders } from '../../services/business/messages/reminder-runs';
import type { ReminderBatch, ReminderPlan } from '../../services/business/messages/reminder-runs';
import type { ReminderPosition } from '../../services/business/messages/reminders';
import type { Platform } from '../../services/platform/platform';
import { withHeartbeat } from '../heartbeat';

/** The activities that plan and queue reminders. */
export const createReminderActivities = (platform: Platform) => ({
  /** Finds when due reminders are sent next. */
  planReminders: ({ organisationId }: { organisationId: string }): Promise<ReminderPlan> =>
    planReminders(platform, organisationId),

  /** Queues the due reminders of a batch of overdue invoices. */
  queueReminders: (batch: { organisationId: string; after: ReminderPosition | null }): Promise<ReminderBatch> =>
    withHeartbeat(() => queueDueReminders(platform, batch.organisationId, batch.after)),

  /** Notes that the reminders of a request were queued. */
  finishReminders: (request: { organisationId: string; requestedAt: string }): Promise<void> =>
    finishRequest(request.organisationId, request.requestedAt),
});

export type ReminderActivities = ReturnType<typeof createReminderActivities>;
