import { setTimeout as delay } from 'node:timers/promises';
import type { NativeConnection } from '@temporalio/worker';

/** Pause between two checks. */
const INTERVAL_MS = 1000;
/** Time in which Temporal must respond. */
const RESPONSE_MS = 3000;

async function isResponding(connection: NativeConnection): Promise<boolean> {
  try {
    await connection.withDeadline(Date.now() + RESPONSE_MS, () => connection.workflowService.getSystemInfo({}));
    return true;
  } catch {
    return false;
  }
}

/** Compares the connection with a new one at the same time, so that a slow machine or server affects both. */
async function isLost(connection: NativeConnection, connect: () => Promise<NativeConnection>): Promise<boolean> {
  const other = await connect().catch(() => null);
  if (other === null) return false;
  try {
    const [old, fresh] = await Promise.all([isResponding(connection), isResponding(other)]);
    return fresh && !old;
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
  do {
    await delay(INTERVAL_MS, undefined, { signal, ref: false });
  } while ((await isResponding(connection)) || !(await isLost(connection, connect)));
}
