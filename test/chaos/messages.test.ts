import { setTimeout as delay } from 'node:timers/promises';
import { loadConfig } from '../../lib/config';
import { Message } from '../../models/business/messages/message';
import type { MessageRecord } from '../../models/business/messages/message';
import { setEgressExceptions } from '../../services/platform/access/organisations';
import { closePlatform, createPlatform } from '../../services/platform/bootstrap';
import type { Platform } from '../../services/platform/platform';
import { buildEmailSettings, startMailServer } from '../support/business/mail-server';
import type { MailServer } from '../support/business/mail-server';
import { call } from '../support/client';
import type { RequestOptions } from '../support/client';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';

const POLL_MS = 20;

let stack: SharedStack;
let server: MailServer;
let platform: Platform;
let caller: Pick<RequestOptions, 'api' | 'token'>;

beforeAll(async () => {
  stack = await shareOwnStack();
  server = await startMailServer();
  const { api, admin, organisationId, environment } = stack.run();
  const login = await call('POST', '/api/auth/login', { api, json: admin });
  caller = { api, token: (login.body['data'] as { token: string }).token };
  const config = { ...loadConfig({ ...process.env, ...environment }), LOG_LEVEL: 'error' } as const;
  platform = await createPlatform(config, { name: 'test', watch: false });
  await setEgressExceptions(platform, organisationId, [server.hostPort]);
  const settings = buildEmailSettings(server);
  expect((await call('PUT', '/api/config/email', { ...caller, json: settings })).status).toBe(200);
});
afterAll(async () => {
  await Promise.all([server.close(), closePlatform(platform)]);
});

/** Reads a message until it passes. */
async function waitForMessage(id: string, passes: (message: MessageRecord) => boolean): Promise<MessageRecord> {
  for (;;) {
    const message = await Message.findById(id).lean<MessageRecord>();
    if (message !== null && passes(message)) return message;
    await delay(POLL_MS);
  }
}

async function sendTestMessage(): Promise<string> {
  const response = await call('POST', '/api/config/email/test', { ...caller, json: { to: 'a@customer.example' } });
  expect(response.status).toBe(202);
  return (response.body['data'] as { id: string }).id;
}

test('a worker that is killed before the server has replied leaves one message, sent again with the same id and bytes', async () => {
  server.reply(() => 'hold');
  const id = await sendTestMessage();
  const [first] = await server.waitForCount(1);
  stack.kill('worker');
  await stack.waitUntilReady();
  // The outcome is unknown: the message waits, and is not sent by the next worker at once.
  const waiting = await waitForMessage(id, ({ attempts }) => attempts.length === 1);
  expect(waiting).toMatchObject({ status: 'queued', attempts: [{ result: 'started' }] });
  server.reply(() => 'accept');
  expect((await call('POST', `/api/messages/${id}/retry`, caller)).status).toBe(202);
  const sent = await waitForMessage(id, ({ status }) => status === 'sent');
  expect(sent.attempts.map(({ result }) => result)).toEqual(['unknown', 'accepted']);
  expect(server.received).toHaveLength(2);
  expect(server.received[1]?.mail.messageId).toBe(first?.mail.messageId);
  expect(server.received[1]?.raw.equals(first?.raw ?? Buffer.alloc(0))).toBe(true);
});

test('messages that are queued while no worker runs are each sent once', async () => {
  const before = server.received.length;
  stack.kill('worker');
  const ids = await Promise.all(Array.from({ length: 5 }, () => sendTestMessage()));
  await stack.waitUntilReady();
  for (const id of ids) {
    const { attempts } = await waitForMessage(id, ({ status }) => status === 'sent');
    expect(attempts.map(({ result }) => result)).toEqual(['accepted']);
  }
  expect(server.received).toHaveLength(before + ids.length);
});
