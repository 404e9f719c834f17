import mongoose from 'mongoose';
import './business';
import './identity';
import './platform';

/** Indexes of earlier versions that reject what is permitted now, by collection. */
const RETIRED_INDEXES: Readonly<Record<string, string>> = { users: 'email_1' };

async function dropRetiredIndexes(): Promise<void> {
  for (const [collection, name] of Object.entries(RETIRED_INDEXES)) {
    const indexes = await mongoose.connection.collection(collection).indexes();
    if (indexes.some((index) => index.name === name)) await mongoose.connection.collection(collection).dropIndex(name);
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
