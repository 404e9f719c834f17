/**
 * A browser that starts and does not become usable: it answers every command of the DevTools protocol over its pipe and
 * announces a page. That page cannot be attached to; with the argument `ends-at-first-page` it can, and the browser ends
 * once it has accepted to open another one.
 */
import { createReadStream, createWriteStream } from 'node:fs';

const endsAtFirstPage = process.argv[2] === 'ends-at-first-page';
const output = createWriteStream('', { fd: 4 });
const send = (message, onSent) => output.write(`${JSON.stringify(message)}\0`, onSent);
const announce = (method, params) => send({ method, params });
const targetInfo = {
  targetId: 'page',
  type: 'page',
  title: '',
  url: 'about:blank',
  attached: false,
  canAccessOpener: false,
};

const RESULTS = { 'Browser.getVersion': { product: 'Chrome/999.0' }, 'Target.createTarget': { targetId: 'opened' } };

function answer({ id, method, sessionId }) {
  if (method === 'Target.setDiscoverTargets') announce('Target.targetCreated', { targetInfo });
  const attaches = endsAtFirstPage && method === 'Target.setAutoAttach' && sessionId === undefined;
  if (attaches) announce('Target.attachedToTarget', { sessionId: 'session', targetInfo, waitingForDebugger: false });
  const ends = endsAtFirstPage && method === 'Target.createTarget';
  send({ id, sessionId, result: RESULTS[method] ?? {} }, ends ? () => process.kill(process.pid, 'SIGKILL') : undefined);
}

let received = '';
for await (const bytes of createReadStream('', { fd: 3 })) {
  received += bytes;
  const messages = received.split('\0');
  received = messages.pop() ?? '';
  for (const message of messages) answer(JSON.parse(message));
}
