import { Context } from '@temporalio/activity';

/** Sends heartbeats while `work` runs, so that Temporal detects a dead worker and can cancel the activity. */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
