import mongoose from 'mongoose';
import './business';
import './identity';
import './platform';

/** Creates every collection and index that is missing; each start of the API and the CLI calls it. */
export async function ensureIndexes(): Promise<void> {
  for (const model of Object.values(mongoose.models)) {
    await model.createCollection();
    await model.createIndexes();
  }
}
