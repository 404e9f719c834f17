import { setTimeout as delay } from 'node:timers/promises';
import { NativeConnection } from '@temporalio/worker';
import type { Config } from '../lib/config';
import type { Logger } from '../lib/logger';
import { buildTemporalConnectionOptions } from '../lib/temporal';

/** Pause between two checks. */
const INTERVAL_MS = 1000;
/** Time in which Temporal must respond. */
const RESPONSE_MS = 3000;
/** A connection that was silent before is lost if it does not respond within this time of a new one. */
const GRACE_MS = 1500;

/**
 * Reads the TLS files and returns a function that opens connections with them: the user to which a worker changes may not
 * read them again.
 * @throws ConfigError if a file cannot be read
 */
export function createConnector(config: Config): () => Promise<NativeConnection> {
  const options = buildTemporalConnectionOptions(config);
  return () => NativeConnection.connect(options);
}

/** What the watch needs of the connection. */
type WatchedConnection = Pick<NativeConnection, 'withDeadline' | 'workflowService'>;

async function isResponding(connection: WatchedConnection): Promise<boolean> {
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
async function compare(connection: WatchedConnection, connect: () => Promise<NativeConnection>): Promise<State> {
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
  connection: WatchedConnection,
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

/**
 * Calls `onLost` once {@link waitForConnectionLoss} resolves. An error that ends the watch is logged, unless `signal`
 * ended it: the process would otherwise stay on a connection that is lost, and nothing would say why.
 */
export async function watchConnection(
  connection: WatchedConnection,
  connect: () => Promise<NativeConnection>,
  { signal, logger, onLost }: { signal: AbortSignal; logger: Pick<Logger, 'error'>; onLost: () => void },
): Promise<void> {
  try {
    await waitForConnectionLoss(connection, connect, signal);
  } catch (error) {
    if (!signal.aborted) logger.error({ err: error }, 'The connection to Temporal is not watched any more');
    return;
  }
  onLost();
}
