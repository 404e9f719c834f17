import path from 'node:path';
import { Proxy } from '../support/chaos/proxy';
import { call } from '../support/client';
import { awaitFailedCheck, findFreePort, startApi, startWorker } from '../support/processes';
import { readStack } from '../support/stack';

/** A proxy to an engine of the stack that refuses connections, and the engine's address through it. */
async function refuseConnections(address: string): Promise<{ proxy: Proxy; address: string }> {
  const port = /(?<=127\.0\.0\.1:)\d+/.exec(address)?.[0] ?? '';
  const proxy = await Proxy.listen(() => Number(port));
  proxy.disturb('refuse');
  return { proxy, address: address.replace(`:${port}`, `:${proxy.port}`) };
}

test('an API that starts before MongoDB answers 503 until it responds, and then serves', async () => {
  const { identityApiKey, mongo } = readStack();
  const { proxy, address } = await refuseConnections(mongo);
  const port = findFreePort();
  const starting = startApi({ MONGO_URL: address, PORT: String(port) });
  await awaitFailedCheck('mongodb', port, starting);
  const api = `http://127.0.0.1:${port}`;
  const refused = await call('GET', '/v1/sessions', { api, key: identityApiKey });
  expect([refused.status, refused.body]).toMatchObject([503, { error: { code: 'unavailable' } }]);
  expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
  proxy.disturb('forward');
  const replica = await starting;
  expect((await call('GET', '/v1/sessions', { api, key: identityApiKey })).status).toBe(200);
  expect(await replica.stop()).toBe(0);
});

test.each([
  ['temporal', 'TEMPORAL_ADDRESS'],
  ['objects', 'S3_ENDPOINT'],
] as const)('a worker that starts before its store (%s) is alive and waits for it', async (awaited, variable) => {
  const { environment } = readStack();
  const { proxy, address } = await refuseConnections(environment[variable] ?? '');
  const port = findFreePort();
  const starting = startWorker({ environment }, 'delivery', { [variable]: address, WORKER_HEALTH_PORT: String(port) });
  await awaitFailedCheck(awaited, port, starting);
  expect((await fetch(`http://127.0.0.1:${port}/healthz`)).status).toBe(200);
  proxy.disturb('forward');
  expect(await (await starting).stop()).toBe(0);
});

/** Longer than a process of the service takes to load on a busy machine, in which its event loop does not run either. */
const EVENT_LOOP_LIMIT_SECONDS = '40';

/** Starts a process, stops its event loop for good, and waits until it has ended. */
async function expectEndAfterHang(name: 'api' | 'worker'): Promise<void> {
  const { environment, mongo } = readStack();
  const { address } = await refuseConnections(mongo);
  const port = findFreePort();
  const env = {
    MONGO_URL: address,
    [name === 'api' ? 'PORT' : 'WORKER_HEALTH_PORT']: String(port),
    EVENT_LOOP_LIMIT_SECONDS,
    NODE_OPTIONS: `--require ${path.resolve('test/support/hang.cjs')}`,
  };
  const starting = name === 'api' ? startApi(env) : startWorker({ environment }, 'delivery', env);
  const ended = expect(starting).rejects.toThrow(
    new RegExp(
      String.raw`\(SIGKILL\).*"name":"${name}".*"limitSeconds":${EVENT_LOOP_LIMIT_SECONDS},.*The event loop has not run`,
      's',
    ),
  );
  await awaitFailedCheck('mongodb', port, starting);
  await expect(fetch(`http://127.0.0.1:${port}/hang`)).rejects.toThrow();
  await ended;
}

test('an API and a worker whose event loops stop for good end, and log why', async () => {
  await Promise.all([expectEndAfterHang('api'), expectEndAfterHang('worker')]);
});
