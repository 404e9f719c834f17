import type { Server } from 'node:http';
import { startHealthServer } from '../../../lib/http-health';
import type { HealthCheck } from '../../../lib/http-health';

const TOKEN = 'token-of-the-metrics';

let server: Server | undefined;
const rejections: unknown[] = [];
const keepRejection = (reason: unknown): void => void rejections.push(reason);
beforeAll(() => process.on('unhandledRejection', keepRejection));
afterAll(() => process.off('unhandledRejection', keepRejection));
afterEach(() => server?.close());

async function start(checks: Record<string, HealthCheck>, read: () => Promise<string>): Promise<string> {
  server = await startHealthServer('127.0.0.1', 0, checks, { token: TOKEN, read });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  return `http://127.0.0.1:${address.port}`;
}

test('metrics that cannot be read are 500, and the server goes on', async () => {
  const url = await start({}, () => Promise.reject(new Error('the registry failed')));
  const metrics = await fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } });
  expect([metrics.status, await metrics.json()]).toEqual([500, { ok: false }]);
  expect((await fetch(`${url}/healthz`)).status).toBe(200);
  expect(rejections).toEqual([]);
});

test('a check that throws is a failed check', async () => {
  const checks: Record<string, HealthCheck> = {
    store: () => {
      throw new Error('closed');
    },
    engine: () => Promise.resolve(),
  };
  const ready = await fetch(`${await start(checks, () => Promise.resolve(''))}/readyz`);
  expect([ready.status, await ready.json()]).toEqual([503, { ok: false, checks: { store: 'failed', engine: 'ok' } }]);
  expect(rejections).toEqual([]);
});

test('a port that is in use is an error of the start', async () => {
  const { port } = new URL(await start({}, () => Promise.resolve('')));
  await expect(startHealthServer('127.0.0.1', Number(port), {})).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
