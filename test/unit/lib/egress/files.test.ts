import { PassThrough, Writable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { createEgress } from '../../../../lib/egress/egress';
import type { Egress, EgressRequest } from '../../../../lib/egress/egress';
import { getEgressReason } from '../../../../lib/egress/failure';
import { followRedirects } from '../../../../lib/egress/redirects';
import { startReceiver } from '../../../support/receiver';
import type { Receiver } from '../../../support/receiver';

let source: Receiver;
let egress: Egress;

beforeEach(async () => {
  source = await startReceiver();
  egress = createEgress({ allow: [source.hostPort] });
});
afterEach(async () => {
  await egress.close();
  await source.close();
});

const buildGet = (change: Partial<EgressRequest> = {}): EgressRequest => ({
  url: source.url,
  method: 'GET',
  timeoutMs: 2000,
  maxBodyBytes: 100_000,
  ...change,
});

describe('a body written to a stream', () => {
  test('is written completely and not held in memory', async () => {
    source.reply({ status: 200, body: 'x'.repeat(50_000) });
    const saveTo = new PassThrough();
    const [response, saved] = await Promise.all([egress.request(buildGet({ saveTo })), buffer(saveTo)]);
    expect(saved.toString()).toBe('x'.repeat(50_000));
    expect(response).toMatchObject({ status: 200, truncated: false });
    expect(response.bodyStart).toHaveLength(0);
  });

  test('is truncated at the limit and reported as truncated', async () => {
    source.reply({ status: 200, body: 'x'.repeat(300_000) });
    const saveTo = new PassThrough();
    const [response, saved] = await Promise.all([egress.request(buildGet({ saveTo })), buffer(saveTo)]);
    expect(response.truncated).toBe(true);
    expect(saved.length).toBeLessThanOrEqual(100_000);
  });

  test('is not written for a status other than 200', async () => {
    source.reply({ status: 404, body: 'no such file' });
    const written: Buffer[] = [];
    const saveTo = new Writable({ write: (chunk: Buffer, _encoding, done) => (written.push(chunk), done()) });
    const response = await egress.request(buildGet({ saveTo }));
    expect([response.status, response.bodyStart.toString(), written]).toEqual([404, 'no such file', []]);
  });

  test('ends the request if it cannot be written', async () => {
    source.reply({ status: 200, body: 'x'.repeat(50_000) });
    const saveTo = new Writable({ write: (_chunk, _encoding, done) => done(new Error('The disk is full.')) });
    await expect(egress.request(buildGet({ saveTo }))).rejects.toMatchObject({ code: 'egress_failed' });
  });
});

describe('redirects of file downloads', () => {
  test('are followed to the file, and only its body is written', async () => {
    const location = `${new URL(source.url).pathname}/files/today.csv`;
    source.reply((_request, count) =>
      count === 1 ? { status: 302, headers: { location }, body: 'elsewhere' } : { status: 200, body: 'a,b' },
    );
    const saveTo = new PassThrough();
    const [{ response, url }, saved] = await Promise.all([
      followRedirects(egress, buildGet({ saveTo })),
      buffer(saveTo),
    ]);
    expect([response.status, new URL(url).pathname, saved.toString()]).toEqual([200, location, 'a,b']);
  });

  test('are checked like the first URL, so that none leads to a private address', async () => {
    source.reply({ status: 302, headers: { location: 'http://169.254.169.254/latest/meta-data' } });
    const rejected = await followRedirects(egress, buildGet()).catch(getEgressReason);
    expect(rejected).toBe('address_not_public');
    expect(source.requests).toHaveLength(1);
  });

  test('fail after the maximum number', async () => {
    source.reply({ status: 307, headers: { location: `${source.url}/again` } });
    await expect(followRedirects(egress, buildGet())).rejects.toMatchObject({ code: 'egress_failed' });
    expect(source.requests).toHaveLength(5);
  });
});
