import { signedHeaders } from '../../../domain/platform/webhooks/signature';
import { verifyWebhook, WebhookVerificationError } from '../../../clients/typescript/src';

const OLD = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEW = 'whsec_bmV3IHNlY3JldCBvZiB0d2VudHktZm91ciBi';
const body = JSON.stringify({ type: 'session.completed', timestamp: '2026-11-21T10:00:00.000Z', data: { number: 1 } });
const headers = (secrets: string[], at = new Date()) => ({ ...signedHeaders('evt_1', at, body, secrets) });

describe('verifying a webhook', () => {
  test('what the service signs verifies, with headers of Node and of fetch, as text and as bytes', () => {
    const event = { id: 'evt_1', type: 'session.completed', data: { number: 1 } };
    expect(verifyWebhook(body, headers([OLD]), OLD)).toMatchObject(event);
    const shouting = Object.fromEntries(
      Object.entries(headers([OLD])).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(verifyWebhook(Buffer.from(body), shouting, OLD)).toMatchObject(event);
    expect(verifyWebhook(body, new Headers(headers([OLD])), OLD)).toMatchObject(event);
  });

  test('during a rotation either side may know one secret or both', () => {
    expect(verifyWebhook(body, headers([NEW, OLD]), OLD).id).toBe('evt_1');
    expect(verifyWebhook(body, headers([NEW]), [OLD, NEW]).id).toBe('evt_1');
  });

  test.each([
    ['another secret', body, headers([NEW])],
    ['a changed body', body.replace('completed', 'declined'), headers([OLD])],
    ['another id', body, { ...headers([OLD]), 'webhook-id': 'evt_2' }],
    ['an old time', body, headers([OLD], new Date(Date.now() - 360_000))],
    ['a time to come', body, headers([OLD], new Date(Date.now() + 360_000))],
    ['no headers', body, {}],
  ])('%s does not verify', (_what, text, sent) => {
    expect(() => verifyWebhook(text, sent, OLD)).toThrow(WebhookVerificationError);
  });
});
