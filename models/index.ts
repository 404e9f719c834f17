import mongoose from 'mongoose';
import type { IndexDirection, mongo, Schema } from 'mongoose';
import './business';
import './identity';
import './platform';

/** The names of the collections of the database. */
async function listCollectionNames(): Promise<Set<string>> {
  // With both options, a user need not have the privilege to list all collections.
  const options = { nameOnly: true, authorizedCollections: true } as const;
  const listed = await mongoose.connection.db?.listCollections({}, options).toArray();
  return new Set(listed?.map(({ name }) => name));
}

/** The direction of an index as MongoDB names it. */
function toDirection(direction: IndexDirection): mongo.IndexDirection {
  if (direction === 'asc' || direction === 'ascending') return 1;
  return direction === 'desc' || direction === 'descending' ? -1 : direction;
}

/** The indexes that a schema declares, as MongoDB expects them. */
const describeIndexes = (declared: ReturnType<Schema['indexes']>): mongo.IndexDescription[] =>
  declared.map(([fields, { unique = false, ...options }]) => ({
    ...options,
    ...(unique !== false && { unique: true }),
    key: new Map(Object.entries(fields).map(([field, direction]) => [field, toDirection(direction)])),
  }));

/** Creates every collection and index that is missing; each start of the API and the CLI calls it. */
export async function ensureIndexes(): Promise<void> {
  const existing = await listCollectionNames();
  for (const model of Object.values(mongoose.models)) {
    if (!existing.has(model.collection.collectionName)) await model.createCollection();
    const indexes = describeIndexes(model.schema.indexes());
    // One command for each collection: with one for each index, they would take a start of the API four times as long.
    if (indexes.length > 0) await model.collection.createIndexes(indexes);
  }
}
