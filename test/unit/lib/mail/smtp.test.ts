import { createEgress } from '../../../../lib/egress/egress';
import { sendMail } from '../../../../lib/mail/smtp';
import type { MailMessage } from '../../../../lib/mail/message';
import { startMailServer } from '../../../support/business/mail-server';
import type { MailServer } from '../../../support/business/mail-server';

const HOST = 'mail.example';
/** An address of this host at which no server listens. */
const CLOSED = '127.0.0.2';

let server: MailServer;
beforeEach(async () => {
  server = await startMailServer();
});
afterEach(() => server.close());

const message: MailMessage = {
  id: 'msg-1',
  from: { name: null, address: 'billing@example.com' },
  replyTo: null,
  to: ['customer@example.com'],
  cc: [],
  recipients: ['customer@example.com'],
  returnPath: null,
  subject: 'Invoice',
  text: 'Invoice',
  html: '<p>Invoice</p>',
  date: new Date('2026-11-22T10:00:00Z'),
  attachments: [],
};

async function send(addresses: readonly string[], allowed = `${HOST}:${server.port}`) {
  const egress = createEgress({ allow: [allowed], resolve: () => Promise.resolve(addresses) });
  const target = { host: HOST, port: server.port, security: 'none', credentials: null, caCertificate: null } as const;
  try {
    return await sendMail(egress, target, message, { additionalAllow: [], tenant: 'org_1' });
  } finally {
    await egress.close();
  }
}

test('the next address of a server is tried if the first one cannot be connected to', async () => {
  expect(await send([CLOSED, '127.0.0.1'])).toMatchObject({ result: 'accepted', replyCode: 250 });
  expect((await server.waitForCount(1)).map(({ to }) => to)).toEqual([['customer@example.com']]);
});

test('a server that refuses the message is not asked again at another address', async () => {
  let count = 0;
  server.reply((transaction) => {
    count = transaction;
    return { code: 550, text: '5.1.1 Unknown', step: 'recipient' };
  });
  expect(await send(['127.0.0.1', '127.0.0.1'])).toMatchObject({ result: 'rejected', replyCode: 550 });
  expect(count).toBe(1);
});

test('a server without an address that can be connected to defers the message', async () => {
  expect(await send([CLOSED, '127.0.0.3'])).toMatchObject({ result: 'deferred', error: 'connection_failed' });
});

test('a server with one address that is not public is not connected to at any', async () => {
  const refused = await send(['127.0.0.1', '203.0.113.7'], 'other.example:25');
  expect(refused).toMatchObject({ result: 'deferred', error: 'address_not_public' });
  expect(server.received).toEqual([]);
});
