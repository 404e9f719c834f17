import { newId } from '../../../../lib/ids';
import { call } from '../../../support/client';
import { buildReport } from '../../../support/business/delivery-report';
import { closeTestPlatform, createTenant } from '../../../support/tenant';

let key: string;
beforeAll(async () => {
  key = await (await createTenant('Reports')).createBusinessKey(['messages:report']);
});
afterAll(closeTestPlatform);

const MEGABYTE = 1024 * 1024;
/** A report about a message that was not sent: it is recognised as one, and has no effect. */
const REPORT = buildReport({ id: newId('msg'), names: 'envelope', action: 'failed', status: '5.1.1' });

const nest = (depth: number): string =>
  Array.from(
    { length: depth },
    (_, level) => `Content-Type: multipart/mixed; boundary=b${level}\n\n--b${level}\n`,
  ).join('');

async function submitReport(message: string): Promise<[number, unknown]> {
  const form = { report: { body: Buffer.from(message.replace(/\n/g, '\r\n')), name: 'message.eml' } };
  const { status, body } = await call('POST', '/api/messages/delivery-reports', { key, form });
  return [status, body['data']];
}

test.each([
  ['whose parts are nested deeply', nest(1000)],
  ['with headers of several megabytes', `Subject: ${'a'.repeat(3 * MEGABYTE)}\n\ntext\n`],
])('a message %s is accepted without an effect, as every other one that is no report', async (_title, message) => {
  expect(await submitReport(message)).toEqual([200, { outcome: 'not_a_report', messageId: null }]);
});

test('a report that returns a large message is read', async () => {
  const returned = REPORT.replace('\nText\n', `\n${'returned line\n'.repeat(500_000)}`);
  expect(await submitReport(returned)).toEqual([200, { outcome: 'unknown_message', messageId: null }]);
});

test('only the beginning of a message is read, so that one of millions of lines delays no other request', async () => {
  const [headers = '', ...parts] = REPORT.split('\n\n');
  const late = [headers, '\n'.repeat(MEGABYTE), ...parts].join('\n\n');
  expect(await submitReport(late)).toEqual([200, { outcome: 'not_a_report', messageId: null }]);
});
