import type { Server } from 'node:http';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer } from '../../../api/http/server';

let server: Server;
beforeAll(async () => {
  const settings = { TLS_CERT: undefined, TLS_KEY: undefined, REQUEST_TIMEOUT_SECONDS: 1 };
  server = createServer(settings, (request, response) => {
    response.flushHeaders();
    if (request.url === '/at-once') response.end('{"ok":true}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterAll(
  () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    }),
);

/** Everything that is received until the server closes the connection. */
function send(text: string): Promise<string> {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1', () => socket.write(text));
  let received = '';
  socket.setEncoding('latin1').on('data', (chunk: string) => (received += chunk));
  socket.on('error', () => undefined);
  return new Promise((resolve) => socket.on('close', () => resolve(received)));
}

const HEAD = 'GET /at-once HTTP/1.1\r\nHost: vouch\r\n';

test.each([
  ['a method that does not exist', 'FOO / HTTP/1.1\r\nHost: vouch\r\n\r\n', 400, 'invalid_request'],
  ['two lengths', `${HEAD}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n`, 400, 'invalid_request'],
  ['no HTTP at all', '\u0016\u0003\u0001\u0002', 400, 'invalid_request'],
  ['no Host', 'GET /at-once HTTP/1.1\r\n\r\n', 400, 'invalid_request'],
  ['headers that are too large', `${HEAD}X-Large: ${'a'.repeat(20_000)}\r\n\r\n`, 431, 'invalid_request'],
  ['headers that do not end', HEAD, 408, 'request_timeout'],
])('%s is answered in the format of both APIs', async (_what, text, status, code) => {
  const [head = '', body = ''] = (await send(text)).split('\r\n\r\n');
  expect(head).toMatch(new RegExp(`^HTTP/1.1 ${status} [A-Z]`));
  expect(head.toLowerCase()).toContain('connection: close');
  const message = expect.any(String) as string;
  expect(JSON.parse(body)).toEqual({ ok: false, message, code, error: { code, message } });
});

test.each([
  ['an unknown expectation is ignored', `${HEAD}Expect: 200-ok\r\nConnection: close\r\n\r\n`],
  ['HTTP/1.0 needs no Host', 'GET /at-once HTTP/1.0\r\n\r\n'],
])('%s', async (_what, text) => {
  expect(await send(text)).toMatch(/^HTTP\/1\.1 200 [^]*\{"ok":true\}/);
});

test('a malformed request after one that is answered gets a response of its own', async () => {
  const received = await send(`${HEAD}\r\nFOO / HTTP/1.1\r\n\r\n`);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200', 'HTTP/1.1 400']);
});

test('what follows the last request of a connection neither cuts off its response nor gets one', async () => {
  const received = await send(`${HEAD}Connection: close\r\n\r\nFOO / HTTP/1.1\r\n\r\n`);
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
  expect(received).toContain('{"ok":true}');
});

test('a response on its way is cut off, not continued by another', async () => {
  const received = await send('GET /never-ends HTTP/1.1\r\nHost: vouch\r\n\r\nFOO / HTTP/1.1\r\n\r\n');
  expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 200']);
});
