import { Context } from '@temporalio/activity';

/** Details of the running attempts, which every heartbeat repeats because a heartbeat replaces those of the last one. */
const details = new WeakMap<Context, unknown>();

/** Sends a heartbeat whose details the next attempt reads, should this one fail. */
export function keepHeartbeatDetails(context: Context, value: unknown): void {
  details.set(context, value);
  context.heartbeat(value);
}

/** Sends heartbeats while `work` runs, so that Temporal detects a dead worker and can cancel the activity. */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(details.get(context) ?? context.info.heartbeatDetails), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
