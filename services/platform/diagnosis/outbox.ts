import { MINUTE_MS } from '../../../domain/durations';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../platform';
import { MAX_EXAMPLES, reportIf } from './problem';
import type { Problem } from './problem';

/** A row is dispatched within a second of its commit; a relay looks for the others once a second. */
const LATE_MS = MINUTE_MS;
/** Rows are counted up to this number, so that a long outage does not make counting slow. */
const MAX_COUNTED = 100_000;

/** Effects on Temporal that were committed and not dispatched for a minute. */
export async function diagnoseOutbox({ clock }: Platform): Promise<Problem[]> {
  const filter = { doneAt: null, createdAt: { $lt: new Date(clock.now().getTime() - LATE_MS) } };
  const [count, rows] = await Promise.all([
    Outbox.countDocuments(filter).limit(MAX_COUNTED).hint({ dueAt: 1 }),
    Outbox.find(filter, { createdAt: 1, name: 1, workflowId: 1, lastError: 1 })
      .sort({ createdAt: 1 })
      .limit(MAX_EXAMPLES)
      .hint({ dueAt: 1 })
      .lean(),
  ]);
  return reportIf({
    area: 'outbox',
    summary: 'Starts and signals of workflows wait to be dispatched to Temporal',
    count,
    since: rows[0]?.createdAt ?? null,
    examples: rows.map(({ name, workflowId, lastError }) => `${name} ${workflowId} (${lastError ?? 'not tried'})`),
    remedy:
      'Start a worker of the orchestration pool, whose relay dispatches them. If one runs, look for "Dispatch failed" in its log: Temporal is unreachable, or rejects the row (a search attribute that is not registered, the wrong namespace).',
  });
}
