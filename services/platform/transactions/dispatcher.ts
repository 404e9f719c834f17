import { CircuitBreaker } from '../../../lib/circuit-breaker';
import { withLogContext } from '../../../lib/context';
import { summariseError } from '../../../lib/logger';
import { Metrics } from '../../../lib/metrics/metrics';
import { withClientSpan, withTraceparent } from '../../../lib/trace-context';
import type { OutboxRecord } from '../../../models/platform/transactions/outbox';
import type { Platform } from '../platform';
import { dispatchRow, waitsForEarlierRow } from './dispatch';
import type { DispatchOutcome } from './dispatch';

/** Calls to Temporal at the same time, per process. */
const MAX_CONCURRENT_DISPATCHES = 16;
/**
 * After a call that wakes a workflow, further rows that wake it are collected for this long. They lose nothing: the workflow
 * has just been woken, or reads, and finds what they announce.
 */
const WAKE_PAUSE_MS = 25;
/** Rows that wait in memory; further ones are left to the relay. */
const MAX_WAITING_ROWS = 2000;
/** The relay ignores a new row for this long, since the process that wrote it dispatches it. */
export const RELAY_GRACE_MS = 5000;
/** A row that has waited longer is left to the relay, which is about to dispatch it. */
const MAX_WAIT_MS = RELAY_GRACE_MS - 1000;

/** `left`: the row was not tried; the relay dispatches it later. */
export type RowOutcome = DispatchOutcome | 'left';

interface WaitingRow {
  row: OutboxRecord;
  /** Checked immediately before the dispatch; false leaves the row to the relay. */
  isAllowed: () => Promise<boolean>;
  settle: (outcome: RowOutcome) => void;
}

/**
 * Dispatches rows of the outbox in parallel, those of one workflow in order. Rows that cannot be dispatched stay pending
 * in MongoDB. While Temporal does not respond, a circuit breaker leaves all rows to the relay at once. One instance per
 * platform: `platform.singletons.get(OutboxDispatcher)`.
 */
export class OutboxDispatcher {
  private readonly circuit = new CircuitBreaker({ failuresToOpen: 3, retryAfterMs: 1000 });
  private waiting: WaitingRow[] = [];
  private readonly activeWorkflows = new Set<string>();
  /** Workflows that were woken a moment ago. */
  private readonly wokenWorkflows = new Set<string>();
  private readonly pending = new Set<Promise<RowOutcome>>();

  /** Whether Temporal has stopped responding. */
  get isInterrupted(): boolean {
    return this.circuit.isOpen;
  }

  /** Dispatches rows that were just committed, without waiting for Temporal. */
  dispatchCommitted(platform: Platform, rows: readonly OutboxRecord[]): void {
    const deadline = performance.now() + MAX_WAIT_MS;
    for (const row of rows)
      void this.dispatch(platform, row, async () => {
        if (performance.now() >= deadline) return false;
        // A start is the first row of its workflow.
        return row.kind !== 'signal' || !(await waitsForEarlierRow(platform, row));
      });
  }

  /** Dispatches one row after the earlier ones of its workflow. Never rejects. */
  dispatch(platform: Platform, row: OutboxRecord, isAllowed: () => Promise<boolean>): Promise<RowOutcome> {
    if (this.waiting.length >= MAX_WAITING_ROWS) return Promise.resolve('left');
    const outcome = new Promise<RowOutcome>((settle) => this.waiting.push({ row, isAllowed, settle }));
    this.pending.add(outcome);
    void outcome.then(() => this.pending.delete(outcome));
    this.startNext(platform);
    return outcome;
  }

  /** Resolves when every row that was handed over has been tried. */
  async drain(): Promise<void> {
    while (this.pending.size > 0) await Promise.all(this.pending);
  }

  private startNext(platform: Platform): void {
    while (this.activeWorkflows.size < MAX_CONCURRENT_DISPATCHES) {
      const next = this.waiting.find(({ row }) => this.isFree(row.workflowId));
      if (next === undefined) return;
      const group = this.takeGroup(next);
      void this.run(platform, next.row, group);
    }
  }

  private isFree(workflowId: string): boolean {
    return !this.activeWorkflows.has(workflowId) && !this.wokenWorkflows.has(workflowId);
  }

  /** Lets further rows that wake a workflow wait for a moment. */
  private pauseWakes(platform: Platform, workflowId: string): void {
    this.wokenWorkflows.add(workflowId);
    setTimeout(() => {
      this.wokenWorkflows.delete(workflowId);
      this.startNext(platform);
    }, WAKE_PAUSE_MS);
  }

  /** Removes a row from those that wait, and with a row that wakes a workflow all others that wake the same one. */
  private takeGroup(next: WaitingRow): WaitingRow[] {
    const isTaken = (waiting: WaitingRow): boolean =>
      waiting === next ||
      (next.row.wakes === true && waiting.row.wakes === true && waiting.row.workflowId === next.row.workflowId);
    const group = this.waiting.filter(isTaken);
    this.waiting = this.waiting.filter((waiting) => !isTaken(waiting));
    return group;
  }

  private async run(
    platform: Platform,
    { _id: outboxId, workflowId, wakes }: OutboxRecord,
    group: WaitingRow[],
  ): Promise<void> {
    this.activeWorkflows.add(workflowId);
    const outcome = await this.attempt(platform, group).catch((error: unknown): RowOutcome => {
      platform.logger.warn({ reason: summariseError(error), outboxId }, 'Dispatch failed; the relay will retry');
      return 'failed';
    });
    this.activeWorkflows.delete(workflowId);
    if (wakes === true && outcome === 'dispatched') this.pauseWakes(platform, workflowId);
    const left = outcome === 'dispatched' ? [] : this.takeWorkflow(workflowId);
    this.settle(platform, group, outcome);
    this.settle(platform, left, 'left');
    this.startNext(platform);
  }

  private settle(platform: Platform, rows: readonly WaitingRow[], outcome: RowOutcome): void {
    if (rows.length === 0) return;
    platform.singletons.get(Metrics).instruments.outboxDispatches.inc({ outcome }, rows.length);
    for (const { settle } of rows) settle(outcome);
  }

  /** Dispatches the allowed rows of a group with one call. */
  private async attempt(platform: Platform, group: readonly WaitingRow[]): Promise<RowOutcome> {
    if (!this.circuit.tryEnter()) return 'left';
    const checked = await Promise.all(group.map(async ({ row, isAllowed }) => ((await isAllowed()) ? [row] : [])));
    const [row, ...repetitions] = checked.flat();
    if (row === undefined) return 'left';
    const context = row.requestId == null ? {} : { requestId: row.requestId };
    const outcome = await withTraceparent(row.traceparent, () =>
      withLogContext(context, () =>
        withClientSpan(
          'dispatch outbox row',
          { 'vouch.outbox_kind': row.kind },
          () => dispatchRow(platform, row, repetitions),
          (result) => ({ 'vouch.outcome': result }),
        ),
      ),
    );
    if (outcome === 'unavailable') this.circuit.recordFailure();
    else this.circuit.recordSuccess();
    return outcome;
  }

  /** Removes the waiting rows of a workflow, so that they do not overtake one that was not dispatched. */
  private takeWorkflow(workflowId: string): WaitingRow[] {
    const taken = this.waiting.filter(({ row }) => row.workflowId === workflowId);
    if (taken.length > 0) this.waiting = this.waiting.filter(({ row }) => row.workflowId !== workflowId);
    return taken;
  }
}
