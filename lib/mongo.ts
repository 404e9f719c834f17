import os from 'node:os';
import mongoose from 'mongoose';
import type { ClientSession, Model } from 'mongoose';
import type { Config } from './config';

/** Connects the process to MongoDB; transactions need a replica set. */
export async function connectMongo(config: Config): Promise<void> {
  mongoose.set('strictQuery', true);
  await mongoose.connect(config.MONGO_URL, {
    autoIndex: false,
    maxPoolSize: 50,
    serverSelectionTimeoutMS: 10_000,
    writeConcern: { w: 'majority', journal: true },
    readConcern: { level: 'majority' },
    // The driver would load it with a dynamic import, which Jest does not support.
    runtimeAdapters: { os },
  });
}

export const disconnectMongo = (): Promise<void> => mongoose.disconnect();

/** Rejects after `timeoutMs` if no primary responds. */
export async function pingMongo(timeoutMs = 2000): Promise<void> {
  const database = mongoose.connection.db;
  if (database === undefined) throw new Error('MongoDB is not connected.');
  await database.command({ ping: 1 }, { timeoutMS: timeoutMs });
}

/**
 * Runs `work` in one transaction with snapshot reads and majority writes. The driver repeats `work` after transient
 * errors, so it must not have side effects outside `mongoSession`.
 */
export async function withMongoTransaction<T>(work: (mongoSession: ClientSession) => Promise<T>): Promise<T> {
  const mongoSession = await mongoose.startSession();
  try {
    return await mongoSession.withTransaction(() => work(mongoSession), {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority', journal: true },
    });
  } finally {
    await mongoSession.endSession();
  }
}

const UNAVAILABLE_ERROR_NAMES =
  /^(MongoServerSelectionError|MongoNetworkError|MongoNetworkTimeoutError|MongooseServerSelectionError|MongoNotConnectedError|MongoPoolClearedError|PoolClearedError|PoolClearedOnNetworkError)$/;

/** Whether an error says that MongoDB does not respond, rather than that it rejects what was sent. */
export const isMongoUnavailableError = (error: unknown): error is Error =>
  error instanceof Error && UNAVAILABLE_ERROR_NAMES.test(error.name);

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
