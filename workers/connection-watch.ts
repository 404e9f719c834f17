import { setTimeout as delay } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';

/** Pause between two checks. */
const INTERVAL_MS = 1000;
/** Time in which Temporal must respond. */
const RESPONSE_MS = 3000;
/** A connection that was silent before is lost if it does not respond within this time of a new one. */
const GRACE_MS = 1500;

async function isResponding(connection: NativeConnection): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + RESPONSE_MS, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}

type State = 'responds' | 'lost' | 'unknown';

/**
 * Compares a silent connection with a new one at the same time, so that a slow machine or server affects both.
 * `unknown`: no new connection can be opened.
 */
async function compare(connection: NativeConnection, connect: () => Promise<NativeConnection>): Promise<State> {
  const other = await connect().catch(() => null);
  if (other === null) return 'unknown';
  try {
    const responds = isResponding(connection);
    if (!(await isResponding(other))) return (await responds) ? 'responds' : 'unknown';
    return (await Promise.race([responds, delay(GRACE_MS, false, { ref: false })])) ? 'responds' : 'lost';
  } finally {
    await other.close();
  }
}

/**
 * Resolves once nothing is transferred on a connection to Temporal any more although a new connection works, as after a
 * network device forgot it without closing it. The SDK needs up to 45 seconds to notice (a keepalive every 30 seconds,
 * 15 seconds to respond to it), which cannot be configured, and long polls stay on a connection that is replaced.
 *
 * @param connect opens a new connection to the same server; rejects while it cannot be reached
 * @param signal ends the watch, without resolving
 */
export async function waitForConnectionLoss(
  connection: NativeConnection,
  connect: () => Promise<NativeConnection>,
  signal: AbortSignal,
): Promise<void> {
  for (let state: State = 'responds'; state !== 'lost';) {
    await delay(INTERVAL_MS, undefined, { signal, ref: false });
    // A connection that was silent is compared at once, so that its loss is noticed soon after the end of an outage.
    if (state === 'responds' && (await isResponding(connection))) continue;
    state = await compare(connection, connect);
  }
}
