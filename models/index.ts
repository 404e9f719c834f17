import mongoose from 'mongoose';
import './business';
import './identity';
import './platform';

/** Indexes of earlier versions that reject what is permitted now, by collection. */
const RETIRED_INDEXES: Readonly<Record<string, string>> = { users: 'email_1' };

const INDEX_NOT_FOUND = 27;

/** Drops an index that another process may drop at the same time. */
async function dropIndex(collection: string, name: string): Promise<void> {
  try {
    await mongoose.connection.collection(collection).dropIndex(name);
  } catch (error) {
    if (!(error instanceof mongoose.mongo.MongoServerError && error.code === INDEX_NOT_FOUND)) throw error;
  }
}

async function dropRetiredIndexes(): Promise<void> {
  for (const [collection, name] of Object.entries(RETIRED_INDEXES)) {
    const indexes = await mongoose.connection.collection(collection).indexes();
    if (indexes.some((index) => index.name === name)) await dropIndex(collection, name);
  }
}

/**
 * Creates every collection and index that is missing, and drops retired indexes; each start of the API and the CLI calls
 * it.
 */
export async function ensureIndexes(): Promise<void> {
  for (const model of Object.values(mongoose.models)) {
    await model.createCollection();
    await model.createIndexes();
  }
  await dropRetiredIndexes();
}
