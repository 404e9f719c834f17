import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress, EgressRequest } from '../../../../lib/egress/egress';
import { getEgressReason } from '../../../../lib/egress/failure';
import { MAX_CONNECTIONS } from '../../../../lib/egress/kept-connections';

const HOST = 'hook.example';

let server: Server;
let egress: Egress;
let port: number;
/** Number of connections opened to the server. */
let connections: number;
/** Numbers of the connections that the requests came over. */
let used: number[];
let respond: RequestListener;
let addresses: string[];

beforeEach(async () => {
  connections = 0;
  used = [];
  addresses = ['127.0.0.1'];
  respond = (_request, response) => response.writeHead(204).end();
  const numbers = new WeakMap<object, number>();
  server = createServer((request, response) => {
    used.push(numbers.get(request.socket) ?? 0);
    request.resume().on('end', () => respond(request, response));
  });
  server.on('connection', (socket) => {
    connections += 1;
    numbers.set(socket, connections);
  });
  await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve));
  ({ port } = server.address() as AddressInfo);
  egress = createEgress({ allow: [`${HOST}:${port}`], resolve: () => Promise.resolve(addresses) });
});

afterEach(async () => {
  await egress.close();
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

/**
 * Sends a request once the connection of the one before is free.
 * @param caller null: the connection is not kept
 */
async function send(changes: Partial<EgressRequest> = {}, caller: string | null = 'whk_a') {
  await setImmediate();
  return egress.request({
    url: `http://${HOST}:${port}/`,
    method: 'POST',
    body: '{}',
    timeoutMs: 2000,
    maxBodyBytes: 1024,
    tenant: 'org_a',
    ...(caller === null ? {} : { keepConnectionFor: caller }),
    ...changes,
  });
}

test('requests of one caller to the same checked addresses share a connection, if it may be kept', async () => {
  await send();
  await send();
  expect(used).toEqual([1, 1]);
  await send({}, null);
  expect(used).toEqual([1, 1, 2]);
});

test('another organisation, and a name that resolves to other addresses, have connections of their own', async () => {
  await send();
  await send({ tenant: 'org_b' });
  addresses = ['127.0.0.2'];
  await send();
  expect(used).toEqual([1, 2, 3]);
});

test('requests of one caller that wait for the server hold up none of another caller to the same server', async () => {
  const replies: (() => void)[] = [];
  const allWait = new Promise<void>((resolve) => {
    respond = (_request, response) => {
      replies.push(() => response.writeHead(204).end());
      if (replies.length === MAX_CONNECTIONS) resolve();
    };
  });
  const waiting = Array.from({ length: MAX_CONNECTIONS }, () => send({ timeoutMs: 60_000 }));
  await allWait;
  respond = (_request, response) => response.writeHead(200).end();
  expect((await send({}, 'whk_b')).status).toBe(200);
  replies.forEach((reply) => reply());
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual(waiting.map(() => 204));
});

test('the addresses of a name are checked before a kept connection is used', async () => {
  await send();
  addresses = [];
  expect(await send().catch(getEgressReason)).toBe('dns_failed');
  expect(used).toEqual([1]);
});

test('a request whose kept connection is closed by the server is sent again over a new one', async () => {
  await send();
  respond = (request, response) => {
    respond = (_again, later) => later.writeHead(200).end('late');
    request.socket.destroy();
    response.destroy();
  };
  expect((await send()).bodyStart.toString()).toBe('late');
  expect(used).toEqual([1, 1, 2]);
});

test('a server that closes the first connection without a response is not called again', async () => {
  respond = (request) => request.socket.destroy();
  expect(await send().catch(getEgressReason)).toBe('connection_failed');
  expect(used).toEqual([1]);
});

test('a request over a kept connection ends at its timeout, and the next one uses another connection', async () => {
  await send();
  respond = () => undefined;
  expect(await send({ timeoutMs: 100 }).catch(getEgressReason)).toBe('timeout');
  respond = (_request, response) => response.writeHead(204).end();
  expect((await send()).status).toBe(204);
  expect(used).toEqual([1, 1, 2]);
});
