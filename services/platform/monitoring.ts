import { ProcessHeartbeat } from '../../models/platform/transactions/process-heartbeat';
import { Outbox } from '../../models/platform/transactions/outbox';
import { WebhookEndpoint } from '../../models/platform/webhooks/webhook-endpoint';
import type { Platform } from './platform';

/** Pending rows are counted up to this number, so that a long outage does not make counting slow. */
const MAX_COUNTED_ROWS = 10_000;

/** The state of the outbox of all organisations. */
export interface OutboxFigures {
  pending: number;
  /** Time for which the relay is overdue with a row; 0 if none is due. */
  lagSeconds: number;
}

/** Reads how many outbox rows are pending and how late the relay is. */
export async function readOutboxFigures({ clock }: Platform): Promise<OutboxFigures> {
  const [pending, first] = await Promise.all([
    Outbox.countDocuments({ doneAt: null }).limit(MAX_COUNTED_ROWS).hint({ dueAt: 1 }),
    Outbox.findOne({ doneAt: null }, { dueAt: 1 }).sort({ dueAt: 1 }).hint({ dueAt: 1 }).lean<{ dueAt: Date }>(),
  ]);
  const overdueMs = first === null ? 0 : clock.now().getTime() - first.dueAt.getTime();
  return { pending, lagSeconds: Math.max(0, overdueMs / 1000) };
}

/** Running processes by name, by the clock of MongoDB. */
export async function countProcesses(): Promise<{ name: string; count: number }[]> {
  const rows = await ProcessHeartbeat.aggregate<{ _id: string; count: number }>([
    { $match: { $expr: { $gt: ['$aliveUntil', '$$NOW'] } } },
    { $group: { _id: '$name', count: { $sum: 1 } } },
  ]).readConcern('local');
  return rows.map(({ _id, count }) => ({ name: _id, count }));
}

/** Enabled webhooks of all organisations whose latest attempts failed. */
export const countFailingWebhooks = (): Promise<number> =>
  WebhookEndpoint.countDocuments({ failingSince: { $ne: null }, disabledAt: null, deletedAt: null });
