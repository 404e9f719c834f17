import { Context } from '@temporalio/activity';
import { SECOND_MS } from '../domain/durations';

/** Details of the running attempts, which every heartbeat repeats because a heartbeat replaces those of the last one. */
const details = new WeakMap<Context, unknown>();

/** Sends a heartbeat whose details the next attempt reads, should this one fail. */
export function keepHeartbeatDetails(context: Context, value: unknown): void {
  details.set(context, value);
  context.heartbeat(value);
}

/** Of activities without a heartbeat timeout: their heartbeats only tell them that they were cancelled. */
const DEFAULT_TIMEOUT_MS = 30 * SECOND_MS;

/**
 * Sends heartbeats while `work` runs, so that Temporal detects a dead worker and can cancel the activity: three within its
 * heartbeat timeout, of which two may be late or lost.
 */
export function withHeartbeat<T>(work: () => Promise<T>): Promise<T> {
  const { heartbeatTimeoutMs = 0 } = Context.current().info;
  // Temporal reports no timeout as 0.
  return withHeartbeatEvery((heartbeatTimeoutMs === 0 ? DEFAULT_TIMEOUT_MS : heartbeatTimeoutMs) / 3, work);
}

/** {@link withHeartbeat} with an interval of its own. */
export async function withHeartbeatEvery<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(details.get(context) ?? context.info.heartbeatDetails), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}

/**
 * For work that is continued by the next activity: whether the running one has used up its time, or is cancelled, such as
 * by the end of its process or because Temporal has already given it to another one.
 */
export function createStopCondition(budgetMs: number): () => boolean {
  const deadline = performance.now() + budgetMs;
  const { cancellationSignal } = Context.current();
  return () => cancellationSignal.aborted || performance.now() > deadline;
}

/** Ends work that is not continued elsewhere. @throws CancelledFailure if the running attempt is cancelled */
export function throwIfCancelled(): void {
  Context.current().cancellationSignal.throwIfAborted();
}
