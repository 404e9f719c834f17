import { createRequire } from 'node:module';

const NOT_INITIATED = 94;
const CONFIG_DOES_NOT_NAME_ME = 93;

/**
 * Makes the node at this port the primary of a replica set with one member. The stored configuration contains the
 * address of the member, so it is corrected if the node was started on another port.
 * @param {number} port
 * @returns {Promise<boolean>} whether the node accepts writes; call again until it does
 */
export async function prepareReplicaSet(port) {
  // Loaded here because `npm ci` has run by the time an engine starts, but perhaps not when this file is loaded.
  const { mongo } = createRequire(import.meta.url)('mongoose');
  const client = new mongo.MongoClient(`mongodb://127.0.0.1:${port}/?directConnection=true`, {
    serverSelectionTimeoutMS: 1500,
    connectTimeoutMS: 1500,
  });
  try {
    await client.connect();
    const admin = client.db('admin');
    const members = [{ _id: 0, host: `127.0.0.1:${port}` }];
    const code = await admin.command({ replSetGetStatus: 1 }).then(
      () => 0,
      (error) => error.code,
    );
    if (code === NOT_INITIATED) await admin.command({ replSetInitiate: { _id: 'vouch', members } });
    if (code === CONFIG_DOES_NOT_NAME_ME) {
      const { config } = await admin.command({ replSetGetConfig: 1 }).catch(() => ({ config: null }));
      const current = config ?? (await client.db('local').collection('system.replset').findOne({}));
      await admin.command({ replSetReconfig: { ...current, members, version: current.version + 1 }, force: true });
    }
    const hello = await admin.command({ hello: 1 });
    return hello.isWritablePrimary === true;
  } finally {
    await client.close();
  }
}
