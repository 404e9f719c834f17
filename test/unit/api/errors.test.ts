import mongoose from 'mongoose';
import pino from 'pino';
import { toAppError } from '../../../api/http/errors';

const logger = pino({ level: 'silent' });

const buildNamedError = (name: string): Error => Object.assign(new Error('connect ECONNREFUSED 10.0.0.7'), { name });

test('an unexpected error is rendered without its message', () => {
  const error = toAppError(new TypeError('cannot read tax of undefined'), logger);
  expect([error.code, error.status]).toEqual(['internal_error', 500]);
  expect(error.message).not.toContain('tax');
});

const buildServerError = (code: number): Error => new mongoose.mongo.MongoServerError({ code, message: '10.0.0.7' });

function buildLabelledError(label: string): Error {
  const error = new mongoose.mongo.MongoError('10.0.0.7');
  error.addErrorLabel(label);
  return error;
}

test.each<[string, Error]>([
  ['no connection', buildNamedError('MongoNetworkError')],
  ['no primary', buildNamedError('MongoServerSelectionError')],
  ['a cleared pool', buildNamedError('PoolClearedError')],
  ['no free connection in the pool', buildNamedError('MongoWaitQueueTimeoutError')],
  [
    'commands buffered while disconnected',
    new mongoose.MongooseError('Operation `users.findOne()` buffering timed out after 10000ms'),
  ],
  ['an election', buildServerError(10_107)],
  ['a shutdown', buildServerError(11_600)],
  ['a transaction interrupted for too long', new Error('given up', { cause: buildServerError(251) })],
  ['a commit without a response', buildLabelledError('UnknownTransactionCommitResult')],
])('a database out of reach (%s) is 503 with a time to wait and no address', (_cause, thrown) => {
  const error = toAppError(thrown, logger);
  expect([error.code, error.status, error.details]).toEqual(['unavailable', 503, { retryAfterSeconds: 2 }]);
  expect(error.message).not.toContain('10.0.0.7');
});

test('a rejected write is not mistaken for an outage', () => {
  expect(toAppError(buildServerError(121), logger).status).toBe(500);
});

test.each([
  ['entity.too.large', 413, 'body_too_large'],
  ['entity.parse.failed', 400, 'invalid_json'],
  ['charset.unsupported', 415, 'unsupported_media_type'],
])('what the framework calls %s keeps its meaning', (type, status, code) => {
  expect(toAppError({ type, status }, logger)).toMatchObject({ status, code });
});
