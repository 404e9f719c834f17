/**
 * A browser that starts and never becomes usable: it answers every command of the DevTools protocol over its pipe and
 * announces a page, which cannot be attached to.
 */
import { createReadStream, createWriteStream } from 'node:fs';

const output = createWriteStream('', { fd: 4 });
const send = (message) => output.write(`${JSON.stringify(message)}\0`);
const targetInfo = { targetId: 'page', type: 'page', title: '', url: 'about:blank', attached: false };

let received = '';
for await (const bytes of createReadStream('', { fd: 3 })) {
  received += bytes;
  const messages = received.split('\0');
  received = messages.pop() ?? '';
  for (const { id, method } of messages.map((message) => JSON.parse(message))) {
    if (method === 'Target.setDiscoverTargets')
      send({ method: 'Target.targetCreated', params: { targetInfo: { ...targetInfo, canAccessOpener: false } } });
    send({ id, result: {} });
  }
}
