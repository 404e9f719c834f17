import { ServiceError } from '@temporalio/client';
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
  ['a cursor that was read while the server restarted', buildServerError(43)],
  ['a server that starts', buildServerError(94)],
  ['a full disk', buildServerError(14_031)],
  [
    'a full disk reported by the storage engine',
    new mongoose.mongo.MongoServerError({ code: 8, message: '28: No space left on device' }),
  ],
  [
    'a bulk write whose connection was lost',
    new mongoose.mongo.MongoBulkWriteError(
      new mongoose.mongo.MongoNetworkError('10.0.0.7 closed'),
      {} as mongoose.mongo.BulkWriteResult,
    ),
  ],
])('a database out of reach (%s) is 503 with a time to wait and no address', (_cause, thrown) => {
  const error = toAppError(thrown, logger);
  expect([error.code, error.status, error.details]).toEqual(['unavailable', 503, { retryAfterSeconds: 2 }]);
  expect(error.message).not.toContain('10.0.0.7');
});

const buildCodedError = (code: string): Error => Object.assign(new Error('read 10.0.0.7'), { code });

const buildGrpcError = (code: number): Error =>
  new ServiceError('Failed to start Workflow', {
    cause: Object.assign(new Error('10.0.0.7'), { code, details: '', metadata: {} }),
  });

test.each<[string, Error]>([
  ['a connection of the object store that is reset while it is read', buildCodedError('ECONNRESET')],
  ['an object store that is silent', buildCodedError('ETIMEDOUT')],
  ['a stream that ends before its end', buildCodedError('ERR_STREAM_PREMATURE_CLOSE')],
  ['a refused connection as a cause', new TypeError('fetch failed', { cause: buildCodedError('ECONNREFUSED') })],
  ['Temporal out of reach', buildGrpcError(14)],
  ['a call to Temporal that took too long', buildGrpcError(4)],
])('another part out of reach (%s) is 503 with a time to wait and no address', (_cause, thrown) => {
  const error = toAppError(thrown, logger);
  expect([error.code, error.status, error.details]).toEqual(['unavailable', 503, { retryAfterSeconds: 2 }]);
  expect(error.message).not.toContain('10.0.0.7');
});

test('a rejected write or call is not mistaken for an outage', () => {
  expect(toAppError(buildServerError(121), logger).status).toBe(500);
  expect(toAppError(new mongoose.mongo.MongoServerError({ code: 8, message: 'unknown' }), logger).status).toBe(500);
  expect(toAppError(buildGrpcError(3), logger).status).toBe(500);
});

test.each([
  ['entity.too.large', 413, 'body_too_large'],
  ['entity.parse.failed', 400, 'invalid_json'],
  ['charset.unsupported', 415, 'unsupported_media_type'],
])('what the framework calls %s keeps its meaning', (type, status, code) => {
  expect(toAppError({ type, status }, logger)).toMatchObject({ status, code });
});
