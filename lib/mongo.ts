import os from 'node:os';
import mongoose from 'mongoose';
import type { ClientSession, Model } from 'mongoose';
import { awaitAvailable } from './await-available';
import type { Waiting } from './await-available';
import type { Config } from './config';
import { isCommitUnknown, isMongoUnavailable, isSnapshotLost, isTransactionLost } from './mongo-errors';

/**
 * Connects the process to MongoDB; transactions need a replica set.
 * @param appName shown by the server for each connection and transaction of this process
 */
export async function connectMongo(config: Config, appName: string): Promise<void> {
  mongoose.set('strictQuery', true);
  await mongoose.connect(config.MONGO_URL, {
    appName,
    // The API creates collections and indexes when it starts; the users of workers may not.
    autoCreate: false,
    autoIndex: false,
    maxPoolSize: 50,
    // An operation fails after this long without a primary, a connection of the pool, or a response to a health check.
    serverSelectionTimeoutMS: 10_000,
    waitQueueTimeoutMS: 10_000,
    connectTimeoutMS: 5000,
    // A connection that was lost without being closed is noticed after this time and `connectTimeoutMS`.
    heartbeatFrequencyMS: 2000,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    // The driver would load it with a dynamic import, which Jest does not support.
    runtimeAdapters: { os },
  });
}

/** @throws Error, for which `isMongoUnavailable` is true, if the server that the process is connected to accepts no writes */
async function requirePrimary(): Promise<void> {
  const hello = await mongoose.connection.db?.command({ hello: 1 });
  if (hello?.['isWritablePrimary'] !== true) throw transientTransactionError('MongoDB has no primary yet.');
}

/** Connects a process that serves: waits until MongoDB responds and accepts writes. */
export const awaitMongo = (config: Config, appName: string, waiting: Waiting): Promise<void> =>
  awaitAvailable(
    {
      check: 'mongodb',
      connect: async () => {
        await connectMongo(config, appName);
        await requirePrimary();
      },
      isUnavailable: isMongoUnavailable,
    },
    waiting,
  );

/**
 * Ends every query and aggregation of this process that takes longer. For processes whose clients choose the queries;
 * the server would go on with a query whose client has left. Cursors, which background work uses, have no limit.
 */
export function limitQueryTime(milliseconds: number): void {
  mongoose.connection.set('maxTimeMS', milliseconds);
}

/** Closes the connections of the process to MongoDB. */
export const disconnectMongo = (): Promise<void> => mongoose.disconnect();

/** Rejects after `timeoutMs` if no primary responds. */
export async function pingMongo(timeoutMs = 2000): Promise<void> {
  const database = mongoose.connection.db;
  if (database === undefined) throw new Error('MongoDB is not connected.');
  await database.command({ ping: 1 }, { timeoutMS: timeoutMs });
}

/** Sessions of the transactions that this process runs, by id. */
const runningSessions = new Set<string>();

/** The id of a session as text. */
const formatSessionId = (id: mongoose.mongo.BSON.Binary): string => Buffer.from(id.buffer).toString('hex');

/** Whether this process runs a transaction in the session. */
export const isSessionRunning = (sessionId: mongoose.mongo.BSON.Binary): boolean =>
  runningSessions.has(formatSessionId(sessionId));

/** The run of a transaction in a session; a repetition after a transient error is another one. */
export type TransactionRun = object;

const runsBySession = new WeakMap<ClientSession, TransactionRun>();

/**
 * Identifies the run of a transaction: all its reads see the same state of the database, but for its own writes, so that
 * what it has read can be kept for as long as it lasts. Undefined outside transactions.
 */
export const findTransactionRun = (mongoSession: ClientSession | null): TransactionRun | undefined =>
  mongoSession === null ? undefined : runsBySession.get(mongoSession);

/** A transaction that transient errors have interrupted is not repeated after this long. */
const MAX_TRANSACTION_MS = 30_000;

/**
 * Runs `work` in one transaction with snapshot reads and majority writes. The driver repeats `work` after transient
 * errors, so it must not have side effects outside `mongoSession`.
 * @throws Error with the last transient error as its cause, for which `isMongoUnavailable` is true
 */
export async function withMongoTransaction<T>(work: (mongoSession: ClientSession) => Promise<T>): Promise<T> {
  const mongoSession = await mongoose.startSession();
  const sessionId = mongoSession.id === undefined ? null : formatSessionId(mongoSession.id.id);
  if (sessionId !== null) runningSessions.add(sessionId);
  const deadline = performance.now() + MAX_TRANSACTION_MS;
  let lastError: unknown;
  const attempt = async (): Promise<T> => {
    // The driver would go on for two minutes, longer than a client waits.
    if (lastError !== undefined && performance.now() > deadline)
      throw new Error('The transaction could not be completed.', { cause: lastError });
    runsBySession.set(mongoSession, {});
    try {
      const result = await runWork(work, mongoSession);
      await commit(mongoSession, deadline);
      return result;
    } catch (error) {
      lastError = error;
      throw error;
    }
  };
  try {
    return await mongoSession.withTransaction(attempt, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    });
  } finally {
    if (sessionId !== null) runningSessions.delete(sessionId);
    runsBySession.delete(mongoSession);
    await mongoSession.endSession();
  }
}

/** Runs the operations of a transaction; marks an error after which the driver has to repeat them. */
async function runWork<T>(work: (mongoSession: ClientSession) => Promise<T>, mongoSession: ClientSession): Promise<T> {
  try {
    return await work(mongoSession);
  } catch (error) {
    if (isTransactionLost(error)) error.addErrorLabel('TransientTransactionError');
    throw error;
  }
}

/**
 * Commits a transaction. If the commit may have taken effect, it is sent again: the server acknowledges one that has, and
 * answers `NoSuchTransaction` to one that has not, after which the driver repeats the work. The driver itself does not
 * commit again after its session was ended.
 * @param deadline value of `performance.now()` after which the error is thrown
 */
async function commit(mongoSession: ClientSession, deadline: number): Promise<void> {
  for (;;) {
    try {
      return await mongoSession.commitTransaction();
    } catch (error) {
      if (!isCommitUnknown(error) || performance.now() > deadline) throw error;
    }
  }
}

interface ReadOptions {
  session?: ClientSession;
  readConcern?: { level: 'snapshot' };
}

/**
 * Options of a read that belongs to a session, if there is one. A read of a snapshot has to state its read concern: the
 * driver would keep that of the client, `majority`, which reads the newest state.
 */
export function readOptions(mongoSession: ClientSession | null): ReadOptions {
  if (mongoSession === null) return {};
  return mongoSession.snapshotEnabled
    ? { session: mongoSession, readConcern: { level: 'snapshot' } }
    : { session: mongoSession };
}

/** An index that was created meanwhile makes a snapshot unreadable, as does the removal of its history. */
const MAX_SNAPSHOT_ATTEMPTS = 3;

/**
 * Runs reads, each with {@link readOptions}, that all see the database as it is at the first of them: a transaction that
 * is committed meanwhile is not seen at all. Reads may run at the same time once the first has ended.
 * @param read may be repeated, so it must not have side effects
 */
export async function withMongoSnapshot<T>(read: (mongoSession: ClientSession) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    const mongoSession = await mongoose.startSession({ snapshot: true });
    try {
      return await read(mongoSession);
    } catch (error) {
      if (!isSnapshotLost(error) || attempt === MAX_SNAPSHOT_ATTEMPTS) throw error;
    } finally {
      await mongoSession.endSession();
    }
  }
}

/** An error that makes the driver repeat a transaction that read an outdated state, like a write conflict. */
export function transientTransactionError(message: string): Error {
  const error = new mongoose.mongo.MongoError(message);
  error.addErrorLabel('TransientTransactionError');
  return error;
}

/** Whether a write violated a unique index. */
export const isDuplicateKeyError = (error: unknown): boolean =>
  error instanceof mongoose.mongo.MongoServerError && error.code === 11_000;

/** Whether a write violated the unique index over exactly these fields. */
export function isDuplicateKeyErrorOn(error: unknown, fields: readonly string[]): boolean {
  if (!(error instanceof mongoose.mongo.MongoServerError) || !isDuplicateKeyError(error)) return false;
  const pattern: unknown = error['keyPattern'];
  return typeof pattern === 'object' && pattern !== null && Object.keys(pattern).join() === fields.join();
}

/**
 * Positions of the documents that an unordered bulk write skipped because they violate a unique index.
 * @throws the error itself if it has any other cause
 */
export function listDuplicatePositions(error: unknown): number[] {
  if (!(error instanceof mongoose.mongo.MongoBulkWriteError)) throw error;
  const failures = [error.writeErrors].flat();
  if (failures.some(({ code }) => code !== 11_000)) throw error;
  return failures.map(({ index }) => index);
}

/**
 * Inserts records, leaving out those that a unique index rejects.
 * @returns positions of the records that were left out
 */
export async function insertNew<T>(model: Model<T>, records: T[]): Promise<number[]> {
  try {
    await model.insertMany(records, { ordered: false, lean: true });
    return [];
  } catch (error) {
    return listDuplicatePositions(error);
  }
}
