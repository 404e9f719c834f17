import type { TestWorkflowEnvironment } from '@temporalio/testing';
import { NativeConnection } from '@temporalio/worker';
import { waitForConnectionLoss } from '../../../workers/connection-watch';
import { Proxy } from '../../support/chaos/proxy';
import type { ProxyMode } from '../../support/chaos/proxy';
import { pollUntilFound } from '../../support/poll';
import { startTimeSkippingServer } from '../../support/time-skipping';

let environment: TestWorkflowEnvironment;

beforeAll(async () => {
  environment = await startTimeSkippingServer();
});
afterAll(() => environment.teardown());

interface Watched {
  connection: NativeConnection;
  disturb: (mode: ProxyMode) => void;
  /** Resolves when the watch next tries to open another connection. */
  nextAttempt: () => Promise<void>;
  /** Whether the connection was reported as lost; false once the watch is stopped. */
  lost: Promise<boolean>;
  stop: () => void;
}

/** Watches a connection through a proxy. */
async function startWatch(): Promise<Watched> {
  const proxy = await Proxy.listen(() => Number(environment.address.split(':')[1]));
  const connect = () => NativeConnection.connect({ address: `127.0.0.1:${proxy.port}` });
  const connection = await connect();
  const watch = new AbortController();
  const waiting: (() => void)[] = [];
  const announceAndConnect = () => {
    for (const resolve of waiting.splice(0)) resolve();
    return connect();
  };
  return {
    connection,
    disturb: (mode) => proxy.disturb(mode),
    nextAttempt: () => new Promise((resolve) => waiting.push(resolve)),
    lost: waitForConnectionLoss(connection, announceAndConnect, watch.signal).then(
      () => true,
      () => false,
    ),
    stop: () => watch.abort(),
  };
}

test('a connection that transfers nothing is lost once a new one works, and not while Temporal is away', async () => {
  const { connection, disturb, nextAttempt, lost } = await startWatch();
  disturb('lose');
  await nextAttempt();
  disturb('forward');
  expect(await lost).toBe(true);
  await connection.close();
});

test('a connection that was closed, and that the SDK has opened again, is not lost', async () => {
  const { connection, disturb, nextAttempt, lost, stop } = await startWatch();
  disturb('refuse');
  await nextAttempt();
  disturb('forward');
  await pollUntilFound(() =>
    connection.workflowService.getSystemInfo({}).then(
      () => true,
      () => undefined,
    ),
  );
  stop();
  expect(await lost).toBe(false);
  await connection.close();
});
