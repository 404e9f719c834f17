import mongoose from 'mongoose';
import type { mongo } from 'mongoose';
import type { Platform } from '../../../services/platform/platform';

/** Everything that the database and the object store hold of an organisation. */
export interface Backup {
  rows: ReadonlyMap<string, mongo.Document[]>;
  objects: ReadonlyMap<string, Buffer>;
}

function getDatabase(): mongo.Db {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  return db;
}

async function dumpRows(organisationId: string): Promise<Map<string, mongo.Document[]>> {
  const db = getDatabase();
  const rows = new Map<string, mongo.Document[]>();
  for (const { name, type } of await db.listCollections({}, { nameOnly: true }).toArray()) {
    if (type !== 'collection' || name.startsWith('system.')) continue;
    const found = await db.collection(name).find({ organisationId }).toArray();
    if (found.length > 0) rows.set(name, found);
  }
  return rows;
}

async function dumpObjects({ objects }: Platform, organisationId: string): Promise<Map<string, Buffer>> {
  const bodies = new Map<string, Buffer>();
  for await (const { key } of objects.list(`evidence/${organisationId}/`)) {
    const body = await objects.get(key);
    if (body !== null) bodies.set(key, body);
  }
  return bodies;
}

/** Copies the rows and files of an organisation, as `mongodump` and a copy of the bucket would. */
export const takeBackup = async (platform: Platform, organisationId: string): Promise<Backup> => ({
  rows: await dumpRows(organisationId),
  objects: await dumpObjects(platform, organisationId),
});

/** Replaces the rows and files of an organisation with those of a backup. */
export async function restoreBackup(platform: Platform, organisationId: string, backup: Backup): Promise<void> {
  const db = getDatabase();
  for (const name of (await dumpRows(organisationId)).keys()) await db.collection(name).deleteMany({ organisationId });
  for (const [name, rows] of backup.rows) await db.collection(name).insertMany(rows);
  for (const [key, body] of backup.objects) await platform.objects.put(key, body, 'application/octet-stream');
}

/** The bytes of every row and file, in which a text can be searched. */
export function toSearchableText({ rows, objects }: Backup): string {
  const rowBytes = [...rows.values()].flat().map((row) => Buffer.from(mongoose.mongo.BSON.serialize(row)));
  return [...rowBytes, ...objects.values()]
    .map((bytes) => bytes.toString('latin1'))
    .join('\n')
    .toUpperCase();
}
