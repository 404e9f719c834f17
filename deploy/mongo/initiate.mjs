/**
 * Initiates the replica set of the containers and creates its users: `root`, which only this script uses, one user for
 * each component with the privileges of roles.json, `vouch-maintenance` for migrations, backups and restorations, and
 * `vouch-admin` for the other commands of an administrator. Run again, it brings roles and passwords up to date. It must
 * reach mongod through its loopback address: before the first user exists, only connections from there may create one.
 *
 * MONGO_HOST       address of mongod, default 127.0.0.1:27017
 * MONGO_MEMBER     address under which the other containers reach mongod, default mongo:27017
 * MONGO_DATABASE   database of the service, in which its users and roles are created, default vouch
 * SECRETS_FOLDER   folder with mongo_root_password and mongo_<component>_password, default /run/secrets
 */
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import mongoose from 'mongoose';

const {
  MONGO_HOST = '127.0.0.1:27017',
  MONGO_MEMBER = 'mongo:27017',
  MONGO_DATABASE = 'vouch',
  SECRETS_FOLDER = '/run/secrets',
} = process.env;
/** Lets a backup keep the snapshot that it reads for longer than five minutes. */
const SNAPSHOTS = 'vouch-snapshots';
const NOT_INITIATED = 94;
const AUTHENTICATION_FAILED = 18;
const READY_WITHIN_MS = 60_000;

const readPassword = async (component) =>
  (await readFile(path.join(SECRETS_FOLDER, `mongo_${component}_password`), 'utf8')).trim();

const connect = (auth) =>
  mongoose.mongo.MongoClient.connect(`mongodb://${MONGO_HOST}/admin?directConnection=true`, {
    ...(auth === undefined ? {} : { auth, authSource: 'admin' }),
    serverSelectionTimeoutMS: READY_WITHIN_MS,
  });

async function untilPrimary(admin) {
  const deadline = Date.now() + READY_WITHIN_MS;
  while (!(await admin.command({ hello: 1 })).isWritablePrimary) {
    if (Date.now() > deadline) throw new Error('The replica set has no primary.');
    await delay(100);
  }
}

/** Connects as root; the first time it initiates the replica set and creates that user. */
async function connectAsRoot(password) {
  const root = { username: 'root', password };
  try {
    return await connect(root);
  } catch (error) {
    if (error.code !== AUTHENTICATION_FAILED) throw error;
  }
  const client = await connect();
  try {
    const admin = client.db('admin');
    const members = [{ _id: 0, host: MONGO_MEMBER }];
    await admin.command({ replSetGetStatus: 1 }).catch(async (error) => {
      if (error.code !== NOT_INITIATED) throw error;
      await admin.command({ replSetInitiate: { _id: 'vouch', members } });
    });
    await untilPrimary(admin);
    await admin.command({ createUser: 'root', pwd: password, roles: ['root'] });
  } finally {
    await client.close();
  }
  return connect(root);
}

/** Creates what is missing and updates what exists. */
async function ensure(db, kind, name, definition) {
  const { [`${kind}s`]: found } = await db.command({ [`${kind}sInfo`]: name });
  await db.command({
    [`${found.length === 0 ? 'create' : 'update'}${kind === 'role' ? 'Role' : 'User'}`]: name,
    ...definition,
  });
}

async function main() {
  const roles = JSON.parse(await readFile(new URL('roles.json', import.meta.url), 'utf8'));
  const client = await connectAsRoot(await readPassword('root'));
  try {
    await untilPrimary(client.db('admin'));
    const db = client.db(MONGO_DATABASE);
    for (const [role, granted] of Object.entries(roles)) {
      const privileges = granted.map(({ collection, actions }) => ({
        resource: { db: MONGO_DATABASE, collection },
        actions,
      }));
      await ensure(db, 'role', role, { privileges, roles: [] });
    }
    await ensure(client.db('admin'), 'role', SNAPSHOTS, {
      privileges: [{ resource: { cluster: true }, actions: ['getParameter', 'setParameter'] }],
      roles: [],
    });
    // The relay runs in the orchestration workers.
    const { relay: _, ...components } = roles;
    const further = { orchestration: ['relay'], maintenance: [{ role: SNAPSHOTS, db: 'admin' }] };
    for (const component of Object.keys(components)) {
      const granted = [component, ...(further[component] ?? [])];
      await ensure(db, 'user', `vouch-${component}`, { pwd: await readPassword(component), roles: granted });
    }
    const administration = ['readWrite', 'dbAdmin'].map((role) => ({ role, db: MONGO_DATABASE }));
    await ensure(db, 'user', 'vouch-admin', { pwd: await readPassword('admin'), roles: administration });
    console.log(`users: ${[...Object.keys(components), 'admin'].map((name) => `vouch-${name}`).join(', ')}`);
  } finally {
    await client.close();
  }
}

await main();
