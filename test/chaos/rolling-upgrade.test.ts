import { Client, Connection, WorkflowNotFoundError } from '@temporalio/client';
import { makeDemoImages } from '../../scripts/demo/images';
import type { WorkerVersion } from '../../lib/worker-deployment';
import { loadSelfie } from '../../scripts/demo/photos';
import { Load } from '../../bench/load/load';
import { RetryingClient, signIn } from '../../bench/load/retrying-client';
import { runAdminCommand } from '../support/commands';
import { pollUntilFound } from '../support/poll';
import { startWorker } from '../support/processes';
import type { ReplicaProcess } from '../support/processes';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import { workflowIds } from '../../workflows/contracts';

let stack: SharedStack;
let identity: RetryingClient;

beforeAll(async () => {
  stack = await shareOwnStack();
  const { identityApiKey: key, environment } = stack.run();
  process.env['CHROMIUM_PATH'] ??= environment['CHROMIUM_PATH'];
  identity = new RetryingClient({ api: () => stack.run().api, signIn: () => ({ key }) });
});

/** Waits until the worker of the launcher takes tasks again, before others leave. */
const awaitReadyWorker = (): Promise<true> =>
  pollUntilFound(() =>
    fetch(`${stack.run().processes['worker'] ?? ''}/readyz`).then(
      ({ ok }) => (ok ? true : undefined),
      () => undefined,
    ),
  );

test('workers of any set of pools join and leave under load, without a failed request or operation', async () => {
  const { api, admin, environment } = stack.run();
  const business = new RetryingClient({ api: () => api, signIn: () => signIn(api, admin) });
  const images = await makeDemoImages();
  const intervals = { session: 0, sale: 0.2, export: 2 };
  const load = await Load.prepare({ identity, business, images, intervals, initialStock: 10_000 });
  load.start();
  const joined = await startWorker({ environment }, 'orchestration,vision,delivery');
  const other = await startWorker({ environment }, 'rendering,exports');
  // Leaves, and joins again because the launcher restarts it.
  const before = stack.run().pids['worker'];
  stack.kill('worker', 'SIGTERM');
  while (stack.run().pids['worker'] === before) await load.afterNextSale();
  await stack.waitUntilReady();
  await awaitReadyWorker();
  expect([await joined.stop(), await other.stop()]).toEqual([0, 0]);
  await load.stop();
  expect(load.errors).toEqual([]);
  for (const { responses } of [identity, business])
    expect([...responses.keys()].filter((status) => ![200, 201, 202].includes(Number(status)))).toEqual([]);
});

describe('a rolling upgrade with open sessions', () => {
  const started: ReplicaProcess[] = [];
  const startVersion = async (buildId: string): Promise<ReplicaProcess> => {
    const worker = await startWorker(stack.run(), 'orchestration', { WORKER_BUILD_ID: buildId });
    started.push(worker);
    // Temporal knows a build once its worker polls, which begins after the worker is ready.
    await pollUntilFound(async () => {
      const { report } = await runAdminCommand(['worker-versions'], { env: stack.run().environment });
      const versions = (report['versions'] ?? []) as { buildId: string }[];
      return versions.some((version) => version.buildId === buildId) ? true : undefined;
    });
    return worker;
  };

  // The person of the load, so that the repeated face is no duplicate.
  const openSession = async (): Promise<string> => {
    const json = { features: ['liveness'], externalId: 'holder' };
    return ((await identity.expect([201], 'POST', '/v1/sessions', { json })).body['session'] as { id: string }).id;
  };

  const finishSession = async (sessionId: string): Promise<string> => {
    const form = { sessionId, image: { body: await loadSelfie('anna') } };
    await identity.expect([200, 201, 202], 'POST', '/v1/biometrics/liveness?wait=0', { form });
    return identity.pollUntil(`/v1/sessions/${sessionId}`, ({ session }) => {
      const { status } = session as { status: string };
      return ['created', 'in_progress'].includes(status) ? null : status;
    });
  };

  /** The build that Temporal has given the workflow of a session to; the outbox may still have to start the workflow. */
  const findBuild = async (client: Client, sessionId: string): Promise<string> =>
    pollUntilFound(async () => {
      try {
        const { raw } = await client.workflow.getHandle(workflowIds.session(sessionId, 1)).describe();
        return raw.workflowExecutionInfo?.versioningInfo?.deploymentVersion?.buildId ?? undefined;
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return undefined;
        throw error;
      }
    });

  const promote = async (buildId: string, ...options: string[]): Promise<WorkerVersion[]> => {
    const { code, report, error } = await runAdminCommand(['promote-workers', buildId, ...options], {
      env: stack.run().environment,
    });
    expect({ code, error }).toEqual({ code: 0, error: '' });
    return report['versions'] as WorkerVersion[];
  };

  // What a failed test has left: the next file's workflows would wait for a version without workers.
  afterAll(async () => {
    await promote('none');
    await Promise.all(started.map((worker) => worker.stop()));
  });

  test('sessions opened by an earlier version are decided by the current one, and none is lost', async () => {
    const opened = await openSession();
    const first = await startVersion('v1');
    expect(await promote('v1')).toEqual([{ buildId: 'v1', status: 'current', percentage: 100 }]);
    const openedByFirst = await openSession();
    expect(await finishSession(opened)).toBe('approved');

    const second = await startVersion('v2');
    // A part of the workflows tries the new build first.
    expect(await promote('v2', '--percentage', '50')).toEqual([
      { buildId: 'v2', status: 'ramping', percentage: 50 },
      { buildId: 'v1', status: 'current', percentage: 50 },
    ]);
    const connection = await Connection.connect({ address: stack.run().temporal });
    const client = new Client({ connection });
    const ramped = await Promise.all(Array.from({ length: 16 }, openSession));
    const builds = await Promise.all(ramped.map((sessionId) => findBuild(client, sessionId)));
    await connection.close();
    expect(new Set(builds)).toEqual(new Set(['v1', 'v2']));

    expect(await promote('v2')).toContainEqual({ buildId: 'v2', status: 'current', percentage: 100 });
    const openedBySecond = await openSession();
    expect(await first.stop()).toBe(0);
    expect(await finishSession(openedByFirst)).toBe('approved');

    // Back to the workers without a build id, which the launcher runs.
    expect(await promote('none')).toContainEqual({ buildId: null, status: 'current', percentage: 100 });
    expect(await second.stop()).toBe(0);
    expect(await finishSession(openedBySecond)).toBe('approved');
  });
});
