import { buildSignedHeaders } from '../../../domain/platform/webhooks/signature';
import { verifyWebhook, WebhookVerificationError } from '../../../clients/typescript/src';

const OLD_SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const NEW_SECRET = 'whsec_bmV3IHNlY3JldCBvZiB0d2VudHktZm91ciBi';
const body = JSON.stringify({ type: 'session.completed', timestamp: '2026-11-21T10:00:00.000Z', data: { number: 1 } });
const buildHeaders = (secrets: string[], at = new Date()) => ({ ...buildSignedHeaders('evt_1', at, body, secrets) });

describe('verifying a webhook', () => {
  test('what the service signs verifies, with headers of Node and of fetch, as text and as bytes', () => {
    const event = { id: 'evt_1', type: 'session.completed', data: { number: 1 } };
    expect(verifyWebhook(body, buildHeaders([OLD_SECRET]), OLD_SECRET)).toMatchObject(event);
    const shouting = Object.fromEntries(
      Object.entries(buildHeaders([OLD_SECRET])).map(([name, value]) => [name.toUpperCase(), [value]]),
    );
    expect(verifyWebhook(Buffer.from(body), shouting, OLD_SECRET)).toMatchObject(event);
    expect(verifyWebhook(body, new Headers(buildHeaders([OLD_SECRET])), OLD_SECRET)).toMatchObject(event);
  });

  test('during a rotation either side may know one secret or both', () => {
    expect(verifyWebhook(body, buildHeaders([NEW_SECRET, OLD_SECRET]), OLD_SECRET).id).toBe('evt_1');
    expect(verifyWebhook(body, buildHeaders([NEW_SECRET]), [OLD_SECRET, NEW_SECRET]).id).toBe('evt_1');
  });

  test.each([
    ['another secret', body, buildHeaders([NEW_SECRET])],
    ['a changed body', body.replace('completed', 'declined'), buildHeaders([OLD_SECRET])],
    ['another id', body, { ...buildHeaders([OLD_SECRET]), 'webhook-id': 'evt_2' }],
    ['an old time', body, buildHeaders([OLD_SECRET], new Date(Date.now() - 360_000))],
    ['a time to come', body, buildHeaders([OLD_SECRET], new Date(Date.now() + 360_000))],
    ['no headers', body, {}],
  ])('%s does not verify', (_what, text, sent) => {
    expect(() => verifyWebhook(text, sent, OLD_SECRET)).toThrow(WebhookVerificationError);
  });
});
