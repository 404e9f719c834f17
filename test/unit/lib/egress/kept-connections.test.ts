import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress, EgressRequest } from '../../../../lib/egress/egress';
import { getEgressReason } from '../../../../lib/egress/failure';

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

/** Sends a request once the connection of the one before is free. */
async function send(changes: Partial<EgressRequest> = {}) {
  await setImmediate();
  return egress.request({
    url: `http://${HOST}:${port}/`,
    method: 'POST',
    body: '{}',
    timeoutMs: 2000,
    maxBodyBytes: 1024,
    tenant: 'org_a',
    keepConnection: true,
    ...changes,
  });
}

test('requests of one organisation to the same checked addresses share a connection, if it may be kept', async () => {
  await send();
  await send();
  expect(used).toEqual([1, 1]);
  await send({ keepConnection: false });
  expect(used).toEqual([1, 1, 2]);
});

test('another organisation, and a name that resolves to other addresses, have connections of their own', async () => {
  await send();
  await send({ tenant: 'org_b' });
  addresses = ['127.0.0.2'];
  await send();
  expect(used).toEqual([1, 2, 3]);
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
