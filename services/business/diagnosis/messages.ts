import { DAY_MS, HOUR_MS } from '../../../domain/durations';
import { Message } from '../../../models/business/messages/message';
import { ReminderSettings } from '../../../models/business/messages/reminder-settings';
import { MAX_EXAMPLES, reportIf } from '../../platform/diagnosis/problem';
import type { Problem } from '../../platform/diagnosis/problem';
import type { Platform } from '../../platform/platform';

/** A due message or requested reminder waits no longer than this while a worker runs. */
const MAX_WAIT_MS = HOUR_MS;

async function findMessages(filter: object, since: 'nextAttemptAt' | 'completedAt') {
  const [count, first] = await Promise.all([
    Message.countDocuments(filter),
    Message.find(filter, { [since]: 1 })
      .sort({ [since]: 1 })
      .limit(MAX_EXAMPLES)
      .lean<{ _id: string; nextAttemptAt?: Date | null; completedAt?: Date | null }[]>(),
  ]);
  return { count, since: first[0]?.[since] ?? null, examples: first.map(({ _id }) => _id) };
}

async function findRequestedReminders(before: Date) {
  const filter = { requestedAt: { $ne: null, $lt: before } };
  const found = await ReminderSettings.find(filter, { requestedAt: 1 })
    .sort({ requestedAt: 1 })
    .lean<{ _id: string; requestedAt: Date }[]>();
  const examples = found.slice(0, MAX_EXAMPLES).map(({ _id }) => _id);
  return { count: found.length, since: found[0]?.requestedAt ?? null, examples };
}

/** E-mail that is not being sent, that failed within a day, and reminders that were requested and not queued. */
export async function diagnoseMessages({ clock }: Platform): Promise<Problem[]> {
  const now = clock.now().getTime();
  const late = new Date(now - MAX_WAIT_MS);
  const [waiting, failed, reminders] = await Promise.all([
    findMessages({ status: 'queued', nextAttemptAt: { $lt: late } }, 'nextAttemptAt'),
    findMessages({ status: 'failed', completedAt: { $gte: new Date(now - DAY_MS) } }, 'completedAt'),
    findRequestedReminders(late),
  ]);
  return [
    ...reportIf({
      area: 'messages',
      summary: 'E-mail has been due for an hour and is not being sent',
      ...waiting,
      remedy: 'Is a worker of the pool delivery running? Open the workflow <organisation>.messages in the Temporal UI.',
    }),
    ...reportIf({
      area: 'messages',
      summary: 'E-mail could not be sent within the last day',
      ...failed,
      remedy:
        'GET /api/messages/:messageId shows the reply of the server. Its organisation corrects PUT /api/config/email or the address, then POST /api/messages/:messageId/retry sends it again.',
    }),
    ...reportIf({
      area: 'reminders',
      summary: 'Reminders were requested an hour ago and have not been queued',
      ...reminders,
      remedy:
        'Is a worker of the pool orchestration running? Open the workflow <organisation>.reminders in the Temporal UI.',
    }),
  ];
}
