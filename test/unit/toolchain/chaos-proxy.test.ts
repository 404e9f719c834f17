import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { setImmediate as nextIteration } from 'node:timers/promises';
import { Proxy } from '../../support/chaos/proxy';

test('the proxy of the chaos suite keeps the order of parts when a delay ends', async () => {
  const server = createServer((socket) => socket.pipe(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const proxy = await Proxy.listen(() => (server.address() as AddressInfo).port);
  const client = connect({ port: proxy.port, host: '127.0.0.1', noDelay: true });
  await once(client, 'connect');
  let received = '';
  client.setEncoding('utf8').on('data', (text: string) => {
    received += text;
  });
  proxy.disturb('delay');
  client.write('first ');
  while (proxy.waiting === 0) await nextIteration();
  proxy.disturb('forward');
  client.write('second');
  while (received.length < 'first second'.length) await nextIteration();
  expect(received).toBe('first second');
  client.destroy();
  await proxy.stop();
  server.close();
});
