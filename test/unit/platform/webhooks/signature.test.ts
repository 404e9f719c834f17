import { randomBytes } from 'node:crypto';
import * as fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { formatSecret, SECRET_BYTES, buildSignedHeaders } from '../../../../domain/platform/webhooks/signature';

const newSecret = (): string => formatSecret(randomBytes(SECRET_BYTES));

describe('webhook signature', () => {
  test('matches the published test vector of Standard Webhooks', () => {
    const headers = buildSignedHeaders(
      'msg_p5jXN8AQM9LWM0D4loKWxJek',
      new Date(1_614_265_330_000),
      '{"test": 2432232314}',
      ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  test('any body verifies with either secret during a rotation, and with no other', () => {
    fc.assert(
      fc.property(fc.json(), (body) => {
        const [next, previous] = [newSecret(), newSecret()];
        const headers = { ...buildSignedHeaders('evt_1', new Date(), body, [next, previous]) };
        expect(new Webhook(next).verify(body, headers)).toEqual(JSON.parse(body));
        expect(new Webhook(previous).verify(body, headers)).toEqual(JSON.parse(body));
        expect(() => new Webhook(newSecret()).verify(body, headers)).toThrow('No matching signature');
      }),
      { numRuns: 20 },
    );
  });

  test('a changed body, id or time does not verify', () => {
    const secret = newSecret();
    const headers = { ...buildSignedHeaders('evt_1', new Date(), '{"a":1}', [secret]) };
    const verify =
      (body: string, changes: Record<string, string> = {}) =>
      () =>
        new Webhook(secret).verify(body, { ...headers, ...changes });
    expect(verify('{"a":2}')).toThrow();
    expect(verify('{"a":1}', { 'webhook-id': 'evt_2' })).toThrow();
    expect(verify('{"a":1}', { 'webhook-timestamp': String(Number(headers['webhook-timestamp']) + 1) })).toThrow();
  });

  test('a secret is the prefix and 32 random bytes in base64', () => {
    const secret = newSecret();
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(newSecret()).not.toBe(secret);
  });
});
