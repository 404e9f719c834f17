import { WorkflowExecutionAlreadyStartedError, WorkflowNotFoundError } from '@temporalio/client';
import { defineSearchAttributeKey, SearchAttributeType, TypedSearchAttributes } from '@temporalio/common';
import type { WorkflowIdReusePolicy } from '@temporalio/common';
import { summariseError } from '../../../lib/logger';
import { isTemporalUnavailable } from '../../../lib/temporal-errors';
import { Outbox } from '../../../models/platform/transactions/outbox';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import { QUEUES, WORKFLOW_ID_REUSE, SEARCH_ATTRIBUTES } from '../../../workflows/contracts';
import type { SignalName } from '../../../workflows/contracts';
import type { Platform } from '../platform';
import { claimWake, withdrawWake } from './backlog-readers';

/** Deadline of one call to Temporal; afterwards the relay retries the row. */
const DISPATCH_DEADLINE_MS = 3000;
/** Delay of a row that Temporal did not respond to. The circuit breaker, not the delay, limits the calls. */
const UNAVAILABLE_DELAY_MS = 1000;
const FIRST_DELAY_MS = 500;
const MAX_DELAY_MS = 30_000;

const ORGANISATION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.organisation, SearchAttributeType.KEYWORD);
const STATUS = defineSearchAttributeKey(SEARCH_ATTRIBUTES.status, SearchAttributeType.KEYWORD);
const SESSION = defineSearchAttributeKey(SEARCH_ATTRIBUTES.session, SearchAttributeType.KEYWORD);
const FEATURE = defineSearchAttributeKey(SEARCH_ATTRIBUTES.feature, SearchAttributeType.KEYWORD_LIST);

interface StartAttributes {
  status?: string;
  features?: string[];
  sessionId?: string;
}

/** `failed`: Temporal rejected the row. `unavailable`: Temporal did not respond. In both cases the row stays pending. */
export type DispatchOutcome = 'dispatched' | 'failed' | 'unavailable';

const getReusePolicy = (name: string): WorkflowIdReusePolicy =>
  Object.entries(WORKFLOW_ID_REUSE).find(([workflow]) => workflow === name)?.[1] ?? 'REJECT_DUPLICATE';

function buildStartOptions(row: OutboxRecord) {
  const attributes = (row.searchAttributes ?? {}) as StartAttributes;
  return {
    workflowId: row.workflowId,
    taskQueue: row.taskQueue ?? '',
    args: [row.argument],
    workflowIdReusePolicy: row.again === true ? 'ALLOW_DUPLICATE' : getReusePolicy(row.name),
    workflowIdConflictPolicy: 'USE_EXISTING',
    priority: { fairnessKey: row.organisationId },
    typedSearchAttributes: new TypedSearchAttributes([
      { key: ORGANISATION, value: row.organisationId },
      ...(attributes.status === undefined ? [] : [{ key: STATUS, value: attributes.status }]),
      ...(attributes.features === undefined ? [] : [{ key: FEATURE, value: attributes.features }]),
      ...(attributes.sessionId === undefined ? [] : [{ key: SESSION, value: attributes.sessionId }]),
    ]),
    ...(row.summary == null ? {} : { staticSummary: row.summary }),
  } as const;
}

async function startWorkflow(platform: Platform, row: OutboxRecord): Promise<string> {
  try {
    await platform.temporal.workflow.start(row.name, buildStartOptions(row));
    return 'started';
  } catch (error) {
    if (error instanceof WorkflowExecutionAlreadyStartedError) return 'already_started';
    throw error;
  }
}

async function wakeWorkflow(
  platform: Platform,
  row: OutboxRecord,
  repetitions: readonly OutboxRecord[],
): Promise<string> {
  if (!(await claimWake(row, repetitions))) return 'already_reading';
  const signal: SignalName = 'backlogAdded';
  const signalArgs = [{ outboxId: row._id }];
  try {
    await platform.temporal.workflow.signalWithStart(row.name, {
      ...buildStartOptions(row),
      taskQueue: QUEUES.orchestration,
      signal,
      signalArgs,
    });
  } catch (error) {
    await withdrawWake(row);
    throw error;
  }
  return 'woken';
}

async function dispatchToTemporal(
  platform: Platform,
  row: OutboxRecord,
  repetitions: readonly OutboxRecord[],
): Promise<string> {
  if (row.kind !== 'start') return signalOrCancel(platform, row);
  return row.wakes === true ? wakeWorkflow(platform, row, repetitions) : startWorkflow(platform, row);
}

/** @returns the error if no workflow with the id is running */
async function trySignalOrCancel(platform: Platform, row: OutboxRecord): Promise<WorkflowNotFoundError | null> {
  const handle = platform.temporal.workflow.getHandle(row.workflowId);
  try {
    if (row.kind === 'signal') await handle.signal(row.name, row.argument);
    else await handle.cancel();
    return null;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return error;
    throw error;
  }
}

/** @throws WorkflowNotFoundError while the start of the workflow is pending: the row is retried after it */
async function signalOrCancel(platform: Platform, row: OutboxRecord): Promise<string> {
  const sent = row.kind === 'signal' ? 'signalled' : 'cancelled';
  const notFound = await trySignalOrCancel(platform, row);
  if (notFound === null) return sent;
  const pendingStart = await Outbox.exists({ workflowId: row.workflowId, kind: 'start', doneAt: null });
  if (pendingStart !== null) throw notFound;
  // Another process may have started the workflow after the first attempt, and marked its start before the search.
  return (await trySignalOrCancel(platform, row)) === null ? sent : 'workflow_ended';
}

/**
 * Whether an earlier row of the same workflow was tried or left behind and is still pending; one that its own process is
 * about to dispatch is not waited for. A cancellation makes earlier rows irrelevant and is never held back; rows that wake
 * a workflow have no order.
 */
export async function waitsForEarlierRow(platform: Platform, row: OutboxRecord): Promise<boolean> {
  if (row.kind === 'cancel' || row.wakes === true) return false;
  const overdue = new Date(platform.clock.now().getTime() - DISPATCH_DEADLINE_MS);
  const earlier = await Outbox.exists({
    workflowId: row.workflowId,
    _id: { $lt: row._id },
    doneAt: null,
    $or: [{ attempts: { $gt: 0 } }, { createdAt: { $lt: overdue } }],
  });
  return earlier !== null;
}

/**
 * Dispatches one row to Temporal and marks it done, or postpones it for the relay.
 * @param repetitions rows for which the same call to Temporal suffices
 */
export async function dispatchRow(
  platform: Platform,
  row: OutboxRecord,
  repetitions: readonly OutboxRecord[] = [],
): Promise<DispatchOutcome> {
  const now = (): number => platform.clock.now().getTime();
  const filter = { _id: { $in: [row, ...repetitions].map(({ _id }) => _id) } };
  try {
    const outcome = await platform.temporal.connection.withDeadline(Date.now() + DISPATCH_DEADLINE_MS, () =>
      dispatchToTemporal(platform, row, repetitions),
    );
    await Outbox.updateMany(filter, { $set: { doneAt: new Date(now()), outcome, lastError: null } });
    return 'dispatched';
  } catch (error) {
    const unavailable = isTemporalUnavailable(error);
    const backoff = Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** Math.min(row.attempts, 10));
    platform.logger.warn(
      { reason: summariseError(error), outboxId: row._id, workflowId: row.workflowId },
      'Dispatch failed; the relay will retry',
    );
    await Outbox.updateMany(
      { ...filter, doneAt: null },
      {
        $set: {
          dueAt: new Date(now() + (unavailable ? UNAVAILABLE_DELAY_MS : backoff)),
          lastError: error instanceof Error ? error.name : 'unknown',
        },
        $inc: { attempts: 1 },
      },
    );
    return unavailable ? 'unavailable' : 'failed';
  }
}
