import { Context } from '@temporalio/activity';

/** Heartbeats by timer while `work` runs: a dead worker is noticed, and cancellation reaches the activity. */
export async function withHeartbeat<T>(everyMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const timer = setInterval(() => context.heartbeat(), everyMs);
  try {
    return await work();
  } finally {
    clearInterval(timer);
  }
}
