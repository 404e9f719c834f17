import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DrainingServer } from '../../../api/http/draining-server';

/** Longer than any test runs. */
const GRACE_MS = 600_000;

/** A server that answers `/held` when the test releases it, and everything else at once. */
async function startServer(idleMs?: number) {
  const held: ServerResponse[] = [];
  const server = createServer((incoming, response) => {
    if (incoming.url === '/held') held.push(response);
    else response.end('ok');
  });
  const draining = new DrainingServer(server, idleMs);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const get = async (path: string, use = agent): Promise<IncomingMessage> => {
    const sent = request({ host: '127.0.0.1', port, path, agent: use }).end();
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    response.resume();
    await once(response, 'end');
    return response;
  };
  const waitForHeld = async (): Promise<ServerResponse> => {
    while (held.length === 0) await new Promise((resolve) => setImmediate(resolve));
    return held[0] as ServerResponse;
  };
  return { draining, get, waitForHeld, close: () => agent.destroy() };
}

test('a request that runs when draining begins is answered with Connection: close', async () => {
  const { draining, get, waitForHeld, close } = await startServer();
  const pending = get('/held');
  const response = await waitForHeld();
  const drained = draining.drain(GRACE_MS);
  response.end('done');
  expect((await pending).headers.connection).toBe('close');
  expect(await drained).toEqual({ cut: 0 });
  close();
});

test('an open connection is served once more, a new one is refused', async () => {
  const { draining, get, close } = await startServer(GRACE_MS);
  expect((await get('/')).headers.connection).toBe('keep-alive');
  const drained = draining.drain(GRACE_MS);
  const second = await get('/');
  expect([second.statusCode, second.headers.connection]).toEqual([200, 'close']);
  await expect(get('/', new Agent())).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  expect(await drained).toEqual({ cut: 0 });
  close();
});

test('connections that stay idle are closed', async () => {
  const { draining, get, close } = await startServer(0);
  await get('/');
  expect(await draining.drain(GRACE_MS)).toEqual({ cut: 0 });
  close();
});

test('requests that are not answered within the grace period are cut and counted', async () => {
  const { draining, get, waitForHeld, close } = await startServer(0);
  const pending = get('/held');
  await waitForHeld();
  const drained = draining.drain(0);
  await expect(pending).rejects.toMatchObject({ code: 'ECONNRESET' });
  expect(await drained).toEqual({ cut: 1 });
  close();
});
