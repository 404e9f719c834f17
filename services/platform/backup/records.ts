import { createHash } from 'node:crypto';
import mongoose from 'mongoose';
import type { ClientSession, mongo } from 'mongoose';
import { z } from 'zod';
import { decodeExactly, splitDocuments } from '../../../lib/backup/documents';
import type { BackupVault, FileDigest } from '../../../lib/backup/vault';
import type { Logger } from '../../../lib/logger';

/** Rows of running processes and workflows, which are none after a restoration. */
const EXCLUDED_COLLECTIONS: ReadonlySet<string> = new Set(['process_heartbeats', 'backlog_readers']);
const INSERT_BYTES = 8 * 1024 * 1024;
const INSERT_DOCUMENTS = 1000;
/** How long a snapshot can be read, unless MongoDB is configured to keep more. */
const DEFAULT_SNAPSHOT_SECONDS = 300;
/** A day, and a second by which the next backup knows that this one was killed before it restored the setting. */
export const SNAPSHOT_SECONDS = 24 * 3600 + 1;

/** A collection in a backup. */
export const collectionSchema = z.object({
  name: z.string(),
  /** Options with which it was created, such as a validator. */
  options: z.record(z.string(), z.unknown()),
  indexes: z.array(z.looseObject({ name: z.string(), key: z.record(z.string(), z.unknown()) })),
  documents: z.number().int(),
  bytes: z.number().int(),
  sha256: z.string(),
});

export type BackedUpCollection = z.infer<typeof collectionSchema>;

/**
 * The database of the connection.
 * @throws Error if the process is not connected
 */
export function getDatabase(): mongo.Db {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  return db;
}

const buildFileName = (backupId: string, collection: string): string => `backups/${backupId}/records/${collection}.veb`;

/** Names and options of the collections that belong to a backup. */
export async function listCollections(): Promise<{ name: string; options: Record<string, unknown> }[]> {
  const found = await getDatabase().listCollections().toArray();
  return found
    .filter(({ name, type }) => type === 'collection' && !name.startsWith('system.') && !EXCLUDED_COLLECTIONS.has(name))
    .map((each) => ({ name: each.name, options: { ...('options' in each ? each.options : {}) } }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The documents of a collection as they are stored, in the order of their ids. */
async function* readRawDocuments(name: string, session?: ClientSession): AsyncGenerator<Buffer> {
  const options = session === undefined ? {} : { session, readConcern: { level: 'snapshot' as const } };
  const documents = getDatabase()
    .collection(name, options.readConcern === undefined ? {} : { readConcern: options.readConcern })
    .find({}, { raw: true, ...(session === undefined ? {} : { session }) })
    .sort({ _id: 1 });
  for await (const document of documents) yield Buffer.from(document as unknown as Uint8Array);
}

/**
 * Asks MongoDB to keep snapshots for a backup that takes long.
 * @returns a function that restores the setting, to its default if an earlier backup was killed before it did so
 */
export async function keepSnapshots(logger: Logger): Promise<() => Promise<void>> {
  const admin = mongoose.connection.getClient().db('admin');
  const name = 'minSnapshotHistoryWindowInSeconds';
  try {
    const { [name]: before } = await admin.command({ getParameter: 1, [name]: 1 });
    await admin.command({ setParameter: 1, [name]: SNAPSHOT_SECONDS });
    const kept = Number(before) === SNAPSHOT_SECONDS ? DEFAULT_SNAPSHOT_SECONDS : Number(before);
    return async () => void (await admin.command({ setParameter: 1, [name]: kept }));
  } catch (error) {
    logger.warn({ err: error }, `The user may not set ${name}: reading the records must take less than five minutes`);
    return () => Promise.resolve();
  }
}

async function backUpCollection(
  vault: BackupVault,
  backupId: string,
  { name, options }: { name: string; options: Record<string, unknown> },
  session: ClientSession,
): Promise<BackedUpCollection> {
  let documents = 0;
  const count = async function* (): AsyncGenerator<Buffer> {
    for await (const document of readRawDocuments(name, session)) {
      documents += 1;
      yield document;
    }
  };
  const digest = await vault.write(buildFileName(backupId, name), count());
  const indexes = await getDatabase().collection(name).indexes();
  return collectionSchema.parse({ name, options, indexes, documents, ...digest });
}

/**
 * Writes every collection as it was at one point in time, while the service runs.
 * @returns the collections, and that time
 */
export async function backUpRecords(
  vault: BackupVault,
  backupId: string,
  logger: Logger,
): Promise<{ collections: BackedUpCollection[]; at: Date }> {
  const restoreSetting = await keepSnapshots(logger);
  const session = mongoose.connection.getClient().startSession({ snapshot: true });
  try {
    const collections: BackedUpCollection[] = [];
    const names = await listCollections();
    // The first read chooses the time of all reads.
    await getDatabase()
      .collection('organisations', { readConcern: { level: 'snapshot' } })
      .findOne({}, { session, projection: { _id: 1 } });
    const at = new Date();
    for (const collection of names) collections.push(await backUpCollection(vault, backupId, collection, session));
    return { collections, at };
  } finally {
    await session.endSession();
    await restoreSetting();
  }
}

/** Reads and counts what a backup has of a collection. @throws Error if it is not what was written */
export async function verifyCollection(
  vault: BackupVault,
  backupId: string,
  { name, documents, sha256 }: BackedUpCollection,
): Promise<void> {
  const hash = createHash('sha256');
  let count = 0;
  for await (const document of splitDocuments(vault.read(buildFileName(backupId, name)))) {
    hash.update(document);
    count += 1;
  }
  if (count !== documents || hash.digest('hex') !== sha256)
    throw new Error(`${name}: the backup does not have the records that were written.`);
}

async function insertDocuments(name: string, source: AsyncIterable<Buffer>): Promise<void> {
  const collection = getDatabase().collection(name);
  let batch: mongo.Document[] = [];
  let bytes = 0;
  const flush = async (): Promise<void> => {
    if (batch.length > 0) await collection.insertMany(batch, { ordered: false, promoteValues: false });
    batch = [];
    bytes = 0;
  };
  for await (const document of source) {
    batch.push(decodeExactly(document));
    bytes += document.length;
    if (bytes >= INSERT_BYTES || batch.length >= INSERT_DOCUMENTS) await flush();
  }
  await flush();
}

const digestCollection = async (name: string): Promise<Pick<FileDigest, 'sha256'>> => {
  const hash = createHash('sha256');
  for await (const document of readRawDocuments(name)) hash.update(document);
  return { sha256: hash.digest('hex') };
};

/**
 * Restores a collection with its options and indexes, and compares every record with the backup.
 * @throws Error if what MongoDB returns differs from the backup
 */
export async function restoreCollection(
  vault: BackupVault,
  backupId: string,
  { name, options, indexes, sha256 }: BackedUpCollection,
): Promise<void> {
  const database = getDatabase();
  await database
    .collection(name)
    .drop()
    .catch(() => undefined);
  await database.createCollection(name, options);
  await insertDocuments(name, splitDocuments(vault.read(buildFileName(backupId, name))));
  for (const { key, v: _version, ns: _namespace, ...index } of indexes) {
    if (index.name !== '_id_') await database.collection(name).createIndex(key as mongo.IndexSpecification, index);
  }
  if ((await digestCollection(name)).sha256 !== sha256)
    throw new Error(`${name}: the restored records differ from those of the backup.`);
}

/** Names of the collections with records, other than those that a process writes when it starts. */
export async function listFilledCollections(): Promise<string[]> {
  const filled: string[] = [];
  for (const { name } of await listCollections()) {
    const isWrittenAtStart = ['schema_state', 'migrations'].includes(name);
    if (
      !isWrittenAtStart &&
      (await getDatabase()
        .collection(name)
        .findOne({}, { projection: { _id: 1 } })) !== null
    )
      filled.push(name);
  }
  return filled;
}
