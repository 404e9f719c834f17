import pino from 'pino';
import { toAppError } from '../../../api/http/errors';

const logger = pino({ level: 'silent' });

const buildNamedError = (name: string): Error => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { name });

test('an unexpected error is rendered without its message', () => {
  const error = toAppError(new TypeError('cannot read tax of undefined'), logger);
  expect([error.code, error.status]).toEqual(['internal_error', 500]);
  expect(error.message).not.toContain('tax');
});

test.each(['MongoNetworkError', 'MongoServerSelectionError', 'PoolClearedError'])(
  'a database out of reach (%s) is 503 with a time to wait and no address',
  (name) => {
    const error = toAppError(buildNamedError(name), logger);
    expect([error.code, error.status, error.details]).toEqual(['unavailable', 503, { retryAfterSeconds: 2 }]);
    expect(error.message).not.toContain('10.0.0.7');
  },
);

test.each([
  ['entity.too.large', 413, 'body_too_large'],
  ['entity.parse.failed', 400, 'invalid_json'],
  ['charset.unsupported', 415, 'unsupported_media_type'],
])('what the framework calls %s keeps its meaning', (type, status, code) => {
  expect(toAppError({ type, status }, logger)).toMatchObject({ status, code });
});
