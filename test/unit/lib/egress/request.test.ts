import { createServer } from 'node:net';
import type { AddressInfo, Server } from 'node:net';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress, EgressOptions, EgressRequest } from '../../../../lib/egress/egress';
import { getEgressReason } from '../../../../lib/egress/failure';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';

const openResources: { close(): unknown }[] = [];

const createTestEgress = (options: EgressOptions): Egress => {
  const egress = createEgress(options);
  openResources.push(egress);
  return egress;
};

const startTestReceiver = async (): Promise<Receiver> => {
  const started = await startReceiver();
  openResources.push(started);
  return started;
};

/** A TCP server that handles each connection with the given function. */
const startRawServer = async (onConnection: Parameters<typeof createServer>[1]): Promise<number> => {
  const server: Server = createServer(onConnection);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  openResources.push(server);
  return (server.address() as AddressInfo).port;
};

const buildPost = (url: string, changes: Partial<EgressRequest> = {}): EgressRequest => ({
  url,
  method: 'POST',
  body: '{}',
  timeoutMs: 2000,
  maxBodyBytes: 1024,
  ...changes,
});

const catchReason = async (sent: Promise<unknown>): Promise<string | undefined> =>
  sent.then(
    () => 'answered',
    (error: unknown) => getEgressReason(error),
  );

afterEach(async () => {
  await Promise.all(openResources.splice(0).map((thing) => thing.close()));
});

describe('addresses of host names', () => {
  const PRIVATE = [
    '127.0.0.1',
    '10.1.2.3',
    '169.254.169.254',
    '100.64.0.1',
    '::1',
    '::ffff:10.0.0.1',
    'fd00::1',
    '64:ff9b::7f00:1',
  ];

  test.each(PRIVATE)('a host name that resolves to %s is rejected', async (address) => {
    const egress = createTestEgress({ allow: [], resolve: () => Promise.resolve([address]) });
    expect(await catchReason(egress.request(buildPost('https://hook.example/')))).toBe('address_not_public');
  });

  test('a host name with one private address among public ones is rejected', async () => {
    const egress = createTestEgress({
      allow: [],
      resolve: () => Promise.resolve(['1.1.1.1', '2606:4700::1111', '192.168.1.1']),
    });
    expect(await catchReason(egress.request(buildPost('https://hook.example/')))).toBe('address_not_public');
  });

  test('a host name is resolved once per request, so that a second DNS response has no effect', async () => {
    const target = await startTestReceiver();
    const resolutions = [['127.0.0.1'], ['127.0.0.2']];
    let lookups = 0;
    const { port, pathname } = new URL(target.url);
    const egress = createTestEgress({
      allow: [`rebinding.example:${port}`],
      resolve: () => Promise.resolve(resolutions[Math.min(lookups++, 1)] ?? []),
    });
    const response = await egress.request(buildPost(`http://rebinding.example:${port}${pathname}`));
    expect(response.status).toBe(204);
    expect(lookups).toBe(1);
    expect(target.requests[0]?.headers['host']).toBe(`rebinding.example:${port}`);
  });

  test('a host name without addresses or unknown to the resolver fails', async () => {
    const unresolved = createTestEgress({ allow: [], resolve: () => Promise.resolve([]) });
    expect(await catchReason(unresolved.request(buildPost('https://nowhere.example/')))).toBe('dns_failed');
    const unknown = createTestEgress({
      allow: [],
      resolve: () => Promise.reject(Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' })),
    });
    expect(await catchReason(unknown.request(buildPost('https://nowhere.example/')))).toBe('dns_failed');
  });

  test('a resolver that never responds ends at the timeout', async () => {
    const egress = createTestEgress({ allow: [], resolve: () => new Promise(() => undefined) });
    expect(await catchReason(egress.request(buildPost('https://slow.example/', { timeoutMs: 50 })))).toBe('timeout');
  });

  test('private addresses as hosts are rejected without a DNS query', async () => {
    let lookups = 0;
    const resolve = () => {
      lookups += 1;
      return Promise.resolve(['1.1.1.1']);
    };
    const egress = createTestEgress({ allow: [], resolve });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '0177.0.0.1', '[::1]', '[::ffff:7f00:1]']) {
      expect(await catchReason(egress.request(buildPost(`http://${host}/`)))).toBe('address_not_public');
    }
    expect(lookups).toBe(0);
  });
});

describe('one request', () => {
  test('sends method, headers and body, and returns status, headers and body', async () => {
    const target = await startTestReceiver();
    target.reply({ status: 201, headers: { 'x-answer': 'yes' }, body: 'thanks' });
    const egress = createTestEgress({ allow: [target.hostPort] });
    const response = await egress.request(
      buildPost(`${target.url}/hook?a=1`, { body: '{"a":1}', headers: { 'x-sent': 'yes' } }),
    );
    expect(response).toMatchObject({ status: 201, headers: { 'x-answer': 'yes' }, truncated: false });
    expect(response.bodyStart.toString()).toBe('thanks');
    expect(target.requests[0]).toMatchObject({ method: 'POST', path: '/hook?a=1', body: '{"a":1}' });
    expect(target.requests[0]?.headers).toMatchObject({ 'x-sent': 'yes', connection: 'close' });
  });

  test.each([301, 302, 303, 307, 308])('a %d redirect is returned and not followed', async (status) => {
    const target = await startTestReceiver();
    target.reply({ status, headers: { location: `${target.url}/elsewhere` } });
    const egress = createTestEgress({ allow: [target.hostPort] });
    expect((await egress.request(buildPost(`${target.url}/hook`))).status).toBe(status);
    expect(target.requests).toHaveLength(1);
  });

  test('long and endless bodies are truncated at the limit', async () => {
    const target = await startTestReceiver();
    target.reply({ status: 200, body: 'x'.repeat(5000) });
    const egress = createTestEgress({ allow: [target.hostPort] });
    const response = await egress.request(buildPost(target.url));
    expect(response.bodyStart).toHaveLength(1024);
    expect(response.truncated).toBe(true);

    const port = await startRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      const more = (): void => {
        while (socket.writable && socket.write(`400\r\n${'y'.repeat(1024)}\r\n`));
      };
      socket.on('drain', more);
      more();
    });
    const endless = createTestEgress({ allow: [`127.0.0.1:${port}`] });
    expect((await endless.request(buildPost(`http://127.0.0.1:${port}/`))).bodyStart).toHaveLength(1024);
  });

  test('a server that does not respond or stalls within its response ends at the timeout', async () => {
    const silent = await startRawServer((socket) => socket.on('error', () => undefined));
    const stalling = await startRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nabc');
    });
    const egress = createTestEgress({ allow: [`127.0.0.1:${silent}`, `127.0.0.1:${stalling}`] });
    expect(await catchReason(egress.request(buildPost(`http://127.0.0.1:${silent}/`, { timeoutMs: 100 })))).toBe(
      'timeout',
    );
    expect(await catchReason(egress.request(buildPost(`https://127.0.0.1:${silent}/`, { timeoutMs: 100 })))).toBe(
      'timeout',
    );
    expect(await catchReason(egress.request(buildPost(`http://127.0.0.1:${stalling}/`, { timeoutMs: 100 })))).toBe(
      'timeout',
    );
  });

  test('refused and closed connections, invalid responses and untrusted certificates have different reasons', async () => {
    const target = await startTestReceiver();
    target.reply('cut');
    const nonsense = await startRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end('SSH-2.0-OpenSSH_9.2\r\n'));
    });
    const huge = await startRawServer((socket) => {
      socket.on('error', () => undefined);
      socket.once('data', () => socket.end(`HTTP/1.1 200 OK\r\nX-Long: ${'z'.repeat(40_000)}\r\n\r\n`));
    });
    const closed = await startTestReceiver();
    await closed.close();
    const egress = createTestEgress({
      allow: [target.hostPort, closed.hostPort, `127.0.0.1:${nonsense}`, `127.0.0.1:${huge}`],
    });
    expect(await catchReason(egress.request(buildPost(target.url)))).toBe('connection_failed');
    expect(await catchReason(egress.request(buildPost(closed.url)))).toBe('connection_failed');
    expect(await catchReason(egress.request(buildPost(`http://127.0.0.1:${nonsense}/`)))).toBe('invalid_response');
    expect(await catchReason(egress.request(buildPost(`http://127.0.0.1:${huge}/`)))).toBe('invalid_response');
    expect(await catchReason(egress.request(buildPost(`https://127.0.0.1:${nonsense}/`)))).toBe('tls_failed');
  });

  test('closing aborts running requests', async () => {
    const target = await startTestReceiver();
    target.reply('hang');
    const egress = createTestEgress({ allow: [target.hostPort] });
    const sent = catchReason(egress.request(buildPost(target.url, { timeoutMs: 20_000 })));
    await target.waitFor(() => true);
    await egress.close();
    expect(await sent).toBe('connection_failed');
  });

  test('plain HTTP is rejected if https is required', async () => {
    const egress = createTestEgress({ allow: [], resolve: () => Promise.resolve(['1.1.1.1']) });
    expect(await catchReason(egress.request(buildPost('http://hook.example/', { requireHttps: true })))).toBe(
      'https_required',
    );
    expect(egress.findUrlProblem('http://hook.example/', { requireHttps: true })).toBe('https_required');
    expect(egress.findUrlProblem('http://hook.example/')).toBeUndefined();
  });
});
