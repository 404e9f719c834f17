import { MockActivityEnvironment } from '@temporalio/testing';
import { DefaultLogger } from '@temporalio/worker';
import mongoose from 'mongoose';
import { createMessageActivities } from '../../../../activities/delivery/messages';
import type { MessageActivities } from '../../../../activities/delivery/messages';
import { MAIL_RETRY_DELAYS_SECONDS } from '../../../../domain/business/messages/retry-schedule';
import { MINUTE_MS } from '../../../../domain/durations';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress } from '../../../../lib/egress/egress';
import { egressError } from '../../../../lib/egress/failure';
import { newId } from '../../../../lib/ids';
import { createLogger } from '../../../../lib/logger';
import { Message } from '../../../../models/business/messages/message';
import type { MessageAttempt, MessageRecord } from '../../../../models/business/messages/message';
import { UNKNOWN_OUTCOME_DELAY_MS } from '../../../../services/business/messages/outgoing';
import type { Platform } from '../../../../services/platform/platform';
import { workflowIds } from '../../../../workflows/contracts';
import { createBusinessClient, getData } from '../../../support/business/client';
import type { BusinessClient } from '../../../support/business/client';
import { buildEmailSettings, startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';
import { parseMessage, waitForMessageStatus } from '../../../support/business/messages';
import { closeTestPlatform, getTestPlatform } from '../../../support/tenant';

let client: BusinessClient;
let server: MailServer;
let platform: Platform;
let egress: Egress;
let sent: MessageRecord;

beforeAll(async () => {
  [client, server] = await Promise.all([createBusinessClient('Unrecorded'), startMailServer()]);
  platform = { ...(await getTestPlatform()), logger: createLogger({ level: 'silent', name: 'test' }) };
  const { EGRESS_ALLOW, DNS_SERVERS } = platform.config;
  egress = createEgress({ allow: EGRESS_ALLOW, dnsServers: DNS_SERVERS });
  expect((await client.put('/api/config/email', buildEmailSettings(server))).status).toBe(200);
  const { id } = parseMessage(getData(await client.post('/api/config/email/test', { to: 'a@customer.example' })));
  await waitForMessageStatus(client, id, 'sent');
  sent = await Message.findById(id).orFail().lean<MessageRecord>();
  // From now on only the tests send: nothing wakes the workflow of the organisation.
  await platform.temporal.workflow.getHandle(workflowIds.messageDeliveries(sent.organisationId)).result();
});
afterEach(() => jest.restoreAllMocks());
afterAll(async () => {
  await Promise.all([egress.close(), server.close()]);
  await closeTestPlatform();
});

/** A message that waits for an attempt. @returns its id */
async function queueMessage(attempts: MessageAttempt[] = []): Promise<string> {
  const _id = newId('msg');
  const recipients = (sent.recipients ?? []).map((recipient) => ({ ...recipient, status: 'queued' as const }));
  const nextAttemptAt = platform.clock.now();
  const state = { status: 'queued' as const, sentAt: null, completedAt: null, nextAttemptAt, recipients, attempts };
  await Message.create({ ...sent, ...state, _id });
  return _id;
}

const read = (id: string): Promise<MessageRecord> => Message.findById(id).orFail().lean<MessageRecord>();

/** Runs the activity like a worker. */
async function sendMessages(through: Egress = egress): Promise<void> {
  const { sendMessages: run } = createMessageActivities(platform, through, new AbortController().signal);
  const worker = new MockActivityEnvironment({}, { logger: new DefaultLogger('ERROR') });
  await worker.run<Parameters<typeof run>, Awaited<ReturnType<typeof run>>, MessageActivities['sendMessages']>(run, {
    organisationId: sent.organisationId,
  });
}

/** Fails the next transactions once the server has a further message. */
function failTransactions(count: number, error: Error): void {
  let failures = count;
  const before = server.received.length;
  const start = mongoose.startSession.bind(mongoose);
  jest.spyOn(mongoose, 'startSession').mockImplementation((...args) => {
    if (server.received.length === before || failures === 0) return start(...args);
    failures -= 1;
    return Promise.reject(error);
  });
}

/** Minutes until the next attempt. */
const waitsFor = ({ nextAttemptAt }: MessageRecord): number =>
  ((nextAttemptAt?.getTime() ?? NaN) - Date.now()) / MINUTE_MS;

test('the outcome of a transmission is recorded when MongoDB is available again, and nothing is sent twice', async () => {
  const id = await queueMessage();
  const before = server.received.length;
  failTransactions(2, new mongoose.mongo.MongoNetworkError('Connection lost.'));
  await sendMessages();
  await sendMessages();
  expect(await read(id)).toMatchObject({
    status: 'sent',
    attempts: [{ number: 1, result: 'accepted', replyCode: 250 }],
  });
  expect(server.received).toHaveLength(before + 1);
});

test('a message whose outcome cannot be recorded for another reason waits as long as one with an unknown outcome', async () => {
  const id = await queueMessage();
  const before = server.received.length;
  failTransactions(1, new Error('A fault.'));
  await sendMessages();
  await sendMessages();
  const waiting = await read(id);
  expect(waiting).toMatchObject({ status: 'queued', attempts: [{ number: 1, result: 'started' }] });
  expect(waitsFor(waiting)).toBeGreaterThan(UNKNOWN_OUTCOME_DELAY_MS / MINUTE_MS - 2);
  expect(server.received).toHaveLength(before + 1);
  await Message.deleteOne({ _id: id });
});

test('an attempt in which nothing was transmitted, since other lookups run, is no attempt', async () => {
  const id = await queueMessage();
  const busy: Egress = { ...egress, resolveTarget: () => Promise.reject(egressError('dns_busy')) };
  await sendMessages(busy);
  const waiting = await read(id);
  expect(waiting).toMatchObject({ status: 'queued', attempts: [] });
  expect(waitsFor(waiting)).toBeLessThan(1);
  await Message.updateOne({ _id: id }, { $set: { nextAttemptAt: platform.clock.now() } });
  await sendMessages();
  expect(await read(id)).toMatchObject({ status: 'sent', attempts: [{ number: 1, result: 'accepted' }] });
});

test('attempts that end without an outcome are limited like others, and the message can be sent again', async () => {
  const last = MAIL_RETRY_DELAYS_SECONDS.length + 1;
  const attempts = Array.from({ length: last }, (_, index): MessageAttempt => {
    const result = index + 1 === last ? 'started' : 'unknown';
    return {
      number: index + 1,
      at: new Date(),
      result,
      durationMs: null,
      replyCode: null,
      enhancedCode: null,
      error: null,
    };
  });
  const id = await queueMessage(attempts);
  const before = server.received.length;
  await sendMessages();
  const failed = await read(id);
  expect(failed).toMatchObject({ status: 'failed', reason: 'attempts_exhausted', nextAttemptAt: null });
  expect(failed.attempts.at(-1)).toMatchObject({ number: last, result: 'unknown' });
  expect(server.received).toHaveLength(before);
  expect((await client.post(`/api/messages/${id}/retry`, {})).status).toBe(202);
  const again = await waitForMessageStatus(client, id, 'sent');
  expect(again.attempts.at(-1)).toMatchObject({ number: last + 1, result: 'accepted' });
  expect(server.received).toHaveLength(before + 1);
});
