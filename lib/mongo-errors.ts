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

/**
 * Codes of a server that starts, shuts down, is not the primary, has no space left, or could not complete a command in
 * time. A cursor that was being read when the server ended is not found afterwards.
 */
const UNAVAILABLE_CODES: ReadonlySet<number | string> = new Set([
  6, // HostUnreachable
  7, // HostNotFound
  24, // LockTimeout
  43, // CursorNotFound
  50, // MaxTimeMSExpired
  64, // WriteConcernFailed
  89, // NetworkTimeout
  90, // CallbackCanceled
  91, // ShutdownInProgress
  94, // NotYetInitialized
  112, // WriteConflict
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  175, // QueryPlanKilled
  189, // PrimarySteppedDown
  211, // KeyNotFound: the keys that sign cluster times are not loaded yet
  225, // TransactionTooOld
  237, // CursorKilled
  239, // SnapshotTooOld
  246, // SnapshotUnavailable
  251, // NoSuchTransaction
  262, // ExceededTimeLimit
  355, // InterruptedDueToStorageChange
  365, // TemporarilyUnavailable
  9001, // SocketException
  10_058, // LegacyNotPrimary
  10_107, // NotWritablePrimary
  11_600, // InterruptedAtShutdown
  11_601, // Interrupted: another process has ended the session
  11_602, // InterruptedDueToReplStateChange
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  14_031, // OutOfDiskSpace
]);

/** WiredTiger passes a full disk on as an unknown error, with the message of the operating system. */
const UNKNOWN_ERROR = 8;
const NO_SPACE = /No space left on device/;

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
  if (error instanceof mongoose.mongo.MongoServerError && isUnavailableServerError(error)) return true;
  if (error instanceof mongoose.mongo.MongoError && TEMPORARY_LABELS.some((label) => error.hasErrorLabel(label)))
    return true;
  const wrapped = getWrappedError(error);
  return wrapped !== undefined && isMongoUnavailable(wrapped);
}

const isUnavailableServerError = ({ code, message }: mongoose.mongo.MongoServerError): boolean =>
  UNAVAILABLE_CODES.has(code ?? '') || (code === UNKNOWN_ERROR && NO_SPACE.test(message));

/** The error that caused another one. The driver hides the error that ended a bulk write in a property of its own. */
const getWrappedError = (error: Error): unknown =>
  error instanceof mongoose.mongo.MongoBulkWriteError ? error.errorResponse : error.cause;

const INTERRUPTED = 11_601;

/**
 * Whether an operation of a transaction failed because its connection was lost or its session was ended. Nothing of the
 * transaction was written then, so it can be repeated; the driver does not recognise every form of these errors.
 */
export function isTransactionLost(error: unknown): error is mongoose.mongo.MongoError {
  if (!(error instanceof mongoose.mongo.MongoError)) return false;
  if (error instanceof mongoose.mongo.MongoNetworkError || error.code === INTERRUPTED) return true;
  return isTransactionLost(getWrappedError(error));
}

/**
 * Whether a commit failed in a way that leaves open whether it has taken effect. The driver does not recognise a session
 * that another process has ended.
 */
export const isCommitUnknown = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoError &&
  (error.hasErrorLabel(MongoErrorLabel.UnknownTransactionCommitResult) || error.code === INTERRUPTED);

/** SnapshotTooOld and SnapshotUnavailable. */
const LOST_SNAPSHOT_CODES: ReadonlySet<number | string> = new Set([239, 246]);

/** Whether a snapshot can no longer be read, while a new one can. */
export const isSnapshotLost = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && LOST_SNAPSHOT_CODES.has(error.code ?? '');

const MAX_TIME_EXPIRED = 50;

/** Whether the server ended a query because it took longer than its `maxTimeMS`. */
export const isQueryTimeout = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === MAX_TIME_EXPIRED;
