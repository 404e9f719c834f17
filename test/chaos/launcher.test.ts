import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import mongoose from 'mongoose';
import { SchemaState } from '../../models/platform/migrations/schema-state';
import { SCHEMA_VERSION } from '../../services/platform/migrations/schema-state';
import { shareOwnStack } from '../support/shared-stack';
import type { SharedStack } from '../support/shared-stack';
import { readStack } from '../support/stack';

const root = path.resolve(__dirname, '..', '..');
let ownStack: SharedStack;

beforeAll(async () => {
  ownStack = await shareOwnStack();
});

/** Status of a request with an API key. */
const getStatusWithKey = async (key: string): Promise<number> => {
  const response = await fetch(`${ownStack.run().api}/v1/sessions?limit=1`, {
    headers: { authorization: `Bearer ${key}` },
  });
  await response.arrayBuffer();
  return response.status;
};

test('two stacks on one machine use different addresses', () => {
  const addresses = [readStack(), ownStack.run()].flatMap(({ api, s3, mongo, temporal }) => [api, s3, mongo, temporal]);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test('a second start in the same home prints the address of the running service and starts nothing', () => {
  const before = ownStack.run();
  const second = spawnSync(process.execPath, ['scripts/start.mjs', '--no-demo'], {
    cwd: root,
    env: { ...process.env, VOUCH_HOME: ownStack.home },
    encoding: 'utf8',
  });
  expect(second.status).toBe(0);
  expect(second.stdout).toContain(before.api);
  expect(ownStack.run().pids).toEqual(before.pids);
});

test('the next start after SIGKILL of the launcher keeps data, keys and the ports of workers', async () => {
  const before = ownStack.run();
  ownStack.kill('launcher');
  await ownStack.restart();
  const after = ownStack.run();
  for (const [role, pid] of Object.entries(before.pids))
    expect({ [role]: after.pids[role] }).not.toEqual({ [role]: pid });
  // Prometheus scrapes a worker at the same address.
  expect(after.processes['worker']).toBe(before.processes['worker']);
  expect(after.identityApiKey).toBe(before.identityApiKey);
  expect(await getStatusWithKey(before.identityApiKey)).toBe(200);
});

test('a start brings a database with an earlier version to that of the code before the service is ready', async () => {
  const client = await new mongoose.mongo.MongoClient(ownStack.run().mongo).connect();
  try {
    const states = client.db().collection<{ _id: string; version: number }>(SchemaState.collection.name);
    await states.updateOne({ _id: 'schema' }, { $set: { version: SCHEMA_VERSION - 1 } });
    ownStack.kill('launcher');
    await ownStack.restart();
    expect((await states.findOne({ _id: 'schema' }))?.version).toBe(SCHEMA_VERSION);
  } finally {
    await client.close();
  }
});

test('a copy of the home finds neither the launcher nor the processes of the original', async () => {
  const before = ownStack.run();
  const copy = mkdtempSync(path.join(tmpdir(), 'vouch-copy-'));
  try {
    for (const file of ['launcher.json', 'run.json', 'state.json']) {
      copyFileSync(path.join(ownStack.home, file), path.join(copy, file));
    }
    const script = `
      import { findLauncher } from './scripts/stack/launcher.mjs';
      import { stopLeftovers } from './scripts/stack/leftovers.mjs';
      const home = ${JSON.stringify(copy)};
      console.log(JSON.stringify([await findLauncher(home), await stopLeftovers(home, () => {})]));`;
    const args = ['--input-type=module', '--eval', script];
    const { stdout } = spawnSync(process.execPath, args, { cwd: root, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual([null, 0]);
    await ownStack.waitUntilReady();
    expect(ownStack.run().pids).toEqual(before.pids);
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
});
