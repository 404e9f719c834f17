import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowIdReusePolicy } from '@temporalio/common';
import { withLogContext } from '../../../lib/context';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { WORKFLOW_ID_REUSE, SEARCH_ATTRIBUTES } from '../../../workflows/contracts';
import type { Platform } from '../platform';

/** Limits the delay of a request while Temporal does not respond; afterwards the relay retries the row. */
const DISPATCH_DEADLINE_MS = 3000;
/** For this long a row leased by one relay is invisible to the others. */
const LEASE_MS = 30_000;
const MAX_BACKOFF_MS = 30_000;

const ORGANISATION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.organisation, SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const FEATURE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.feature, SearchAttributeType.KEYWORD_LIST);

interface StartAttributes {
  status?: string;
  features?: string[];
}

const getReusePolicy = (name: string): WorkflowIdReusePolicy =>
  Object.entries(WORKFLOW_ID_REUSE).find(([workflow]) => workflow === name)?.[1] ?? 'REJECT_DUPLICATE';

async function startWorkflow(platform: Platform, row: OutboxRecord): Promise<string> {
  const attributes = (row.searchAttributes ?? {}) as StartAttributes;
  try {
    await platform.temporal.workflow.start(row.name, {
      workflowId: row.workflowId,
      taskQueue: row.taskQueue ?? '',
      args: [row.argument],
      workflowIdReusePolicy: getReusePolicy(row.name),
      workflowIdConflictPolicy: 'USE_EXISTING',
      priority: { fairnessKey: row.organisationId },
      typedSearchAttributes: new TypedSearchAttributes([
        { key: ORGANISATION, value: row.organisationId },
        ...(attributes.status === undefined ? [] : [{ key: STATUS, value: attributes.status }]),
        ...(attributes.features === undefined ? [] : [{ key: FEATURE, value: attributes.features }]),
      ]),
      ...(row.summary == null ? {} : { staticSummary: row.summary }),
    });
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
    throw error;
  }
}

async function signalOrCancel(platform: Platform, row: OutboxRecord): Promise<string> {
  const handle = platform.temporal.workflow.getHandle(row.workflowId);
  try {
    if (row.kind === 'signal') await handle.signal(row.name, row.argument);
    else await handle.cancel();
    return row.kind === 'signal' ? 'signalled' : 'cancelled';
  } catch (error) {
    if (!(error instanceof WorkflowNotFoundError)) throw error;
    // The workflow has ended, unless its start is still pending; then this row is retried after the start.
    const pendingStart = await Outbox.exists({ workflowId: row.workflowId, kind: 'start', doneAt: null });
    if (pendingStart !== null) throw error;
    return 'workflow_ended';
  }
}

/** Dispatches one row to Temporal and marks it done. On failure the relay retries it with exponential backoff. */
async function dispatchRow(platform: Platform, row: OutboxRecord): Promise<void> {
  const now = (): number => platform.clock.now().getTime();
  try {
    const outcome = await platform.temporal.connection.withDeadline(Date.now() + DISPATCH_DEADLINE_MS, () =>
      row.kind === 'start' ? startWorkflow(platform, row) : signalOrCancel(platform, row),
    );
    await Outbox.updateOne({ _id: row._id }, { $set: { doneAt: new Date(now()), outcome, lastError: null } });
  } catch (error) {
    const delay = Math.min(MAX_BACKOFF_MS, 500 * 2 ** Math.min(row.attempts, 10));
    platform.logger.warn(
      { err: error, outboxId: row._id, workflowId: row.workflowId },
      'Dispatch failed; the relay will retry',
    );
    await Outbox.updateOne(
      { _id: row._id, doneAt: null },
      {
        $set: { dueAt: new Date(now() + delay), lastError: error instanceof Error ? error.name : 'unknown' },
        $inc: { attempts: 1 },
      },
    );
  }
}

/** Dispatches committed rows in order. Never rejects: a row that fails stays pending in MongoDB. */
export async function dispatchRows(platform: Platform, rows: readonly OutboxRecord[]): Promise<void> {
  for (const row of rows) {
    try {
      await withLogContext(row.requestId == null ? {} : { requestId: row.requestId }, () => dispatchRow(platform, row));
    } catch (error) {
      platform.logger.error({ err: error, outboxId: row._id }, 'Dispatch failed; the relay will retry');
    }
  }
}

/** Leases one due row, so that several relays can share the work. */
async function leaseDueRow(platform: Platform): Promise<OutboxRecord | null> {
  const now = platform.clock.now();
  return Outbox.findOneAndUpdate(
    { doneAt: null, dueAt: { $lte: now } },
    { $set: { dueAt: new Date(now.getTime() + LEASE_MS) } },
    { sort: { dueAt: 1 }, returnDocument: 'after' },
  ).lean<OutboxRecord>();
}

/**
 * Dispatches due rows until none is left.
 * @returns the number of rows dispatched
 */
export async function relayDueRows(platform: Platform): Promise<number> {
  let dispatched = 0;
  for (let row = await leaseDueRow(platform); row !== null; row = await leaseDueRow(platform)) {
    await dispatchRows(platform, [row]);
    dispatched += 1;
  }
  return dispatched;
}

/** Dispatches due rows once a second until stopped. Every process of the orchestration pool runs a relay. */
export function startRelay(platform: Platform): { stop(): Promise<void> } {
  let stopped = false;
  let wake: () => void = () => undefined;
  const loop = async (): Promise<void> => {
    while (!stopped) {
      try {
        await relayDueRows(platform);
      } catch (error) {
        platform.logger.warn({ err: error }, 'The outbox relay could not read due rows; it will retry');
      }
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, 1000);
        wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  };
  const running = loop();
  return {
    async stop() {
      stopped = true;
      wake();
      await running;
    },
  };
}
