import mongoose from 'mongoose';
import type { ClientSession, mongo } from 'mongoose';
import type { MigrationContext } from './migration';

const { EJSON } = mongoose.mongo.BSON;

/** A transaction must end well before MongoDB aborts it. */
const BATCH_SIZE = 50;

/** A row as it is stored, whatever version wrote it. */
export type StoredRow = mongo.Document & { _id: string | mongo.ObjectId };

/** A collection without the middleware and the schema of its model. */
export function getRawCollection(name: string): mongo.Collection<StoredRow> {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error('MongoDB is not connected.');
  return db.collection<StoredRow>(name);
}

const formatCursor = (_id: StoredRow['_id']): string => EJSON.stringify({ _id });

const parseCursor = (cursor: string): StoredRow['_id'] => (EJSON.parse(cursor) as StoredRow)._id;

/** The rows of a collection that a migration converts. */
export interface Conversion {
  collection: string;
  /** Selects rows of the earlier form only, so that those written meanwhile in the new form are left alone. */
  filter: mongo.Filter<StoredRow>;
  /** Converts rows in the transaction that has read them. @returns the number of rows it converted */
  convert: (rows: StoredRow[], mongoSession: ClientSession) => Promise<number>;
}

/** Converts rows in the order of their ids, in batches that are committed with the position of the next one. */
export async function convertRows(
  { commit, cursor }: MigrationContext,
  { collection, filter, convert }: Conversion,
): Promise<void> {
  const rows = getRawCollection(collection);
  for (let next = cursor; ;) {
    const after: mongo.Filter<StoredRow> = next === null ? {} : { _id: { $gt: parseCursor(next) } };
    const found = await rows
      .find({ $and: [filter, after] }, { projection: { _id: 1 } })
      .sort({ _id: 1 })
      .limit(BATCH_SIZE)
      .toArray();
    const last = found.at(-1);
    if (last === undefined) return;
    const ids = found.map(({ _id }) => _id);
    const position = formatCursor(last._id);
    await commit(async (session) => {
      const batch = await rows.find({ $and: [filter, { _id: { $in: ids } }] }, { session }).toArray();
      return { cursor: position, converted: await convert(batch, session) };
    });
    next = position;
  }
}

/** Converts several collections, one after another; the cursor names the one that is being converted. */
export async function convertCollections(context: MigrationContext, conversions: readonly Conversion[]): Promise<void> {
  const [started = '', position] = splitCursor(context.cursor);
  const first = conversions.findIndex(({ collection }) => collection === started);
  for (const [index, conversion] of conversions.entries()) {
    if (index < first) continue;
    const { collection } = conversion;
    await convertRows(
      {
        ...context,
        cursor: index === first ? (position ?? null) : null,
        commit: (write) =>
          context.commit(async (mongoSession) => {
            const { cursor, converted } = await write(mongoSession);
            return { cursor: `${collection} ${cursor}`, converted };
          }),
      },
      conversion,
    );
  }
}

/** `<collection> <cursor>` */
function splitCursor(cursor: string | null): [string?, string?] {
  if (cursor === null) return [];
  const space = cursor.indexOf(' ');
  return [cursor.slice(0, space), cursor.slice(space + 1)];
}
