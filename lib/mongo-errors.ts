import mongoose from 'mongoose';

const { MongoErrorLabel } = mongoose.mongo;

/** Errors of the driver and of mongoose about connections, pools and the choice of a server. */
const UNAVAILABLE_NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongooseServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'PoolClearedError',
  'PoolClearedOnNetworkError',
  'MongoWaitQueueTimeoutError',
  'MongoOperationTimeoutError',
  'MongoTopologyClosedError',
  'MongoServerClosedError',
  'MongoClientClosedError',
  'MongoStalePrimaryError',
]);

/** Codes of a server that shuts down, is not the primary, or could not complete a command in time. */
const UNAVAILABLE_CODES: ReadonlySet<number | string> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  91, // ShutdownInProgress
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  189, // PrimarySteppedDown
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
]);

/** Labels of errors that the server or the driver declares to be temporary. */
const TEMPORARY_LABELS = [
  MongoErrorLabel.TransientTransactionError,
  MongoErrorLabel.UnknownTransactionCommitResult,
  MongoErrorLabel.RetryableWriteError,
] as const;

/** Mongoose buffers commands while it is disconnected; its error then has only a message. */
const BUFFERING_TIMED_OUT = /buffering timed out after \d+ms/;

/**
 * Whether an operation failed because MongoDB was not available: unreachable, electing a primary, shutting down or
 * overloaded. The same operation may succeed later.
 */
export function isMongoUnavailable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (UNAVAILABLE_NAMES.has(error.name)) return true;
  if (error instanceof mongoose.MongooseError && BUFFERING_TIMED_OUT.test(error.message)) return true;
  if (error instanceof mongoose.mongo.MongoServerError && UNAVAILABLE_CODES.has(error.code ?? '')) return true;
  if (error instanceof mongoose.mongo.MongoError && TEMPORARY_LABELS.some((label) => error.hasErrorLabel(label)))
    return true;
  return error.cause !== undefined && isMongoUnavailable(error.cause);
}

const MAX_TIME_EXPIRED = 50;

/** Whether the server ended a query because it took longer than its `maxTimeMS`. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;
