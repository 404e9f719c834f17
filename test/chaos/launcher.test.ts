import { spawnSync } from 'node:child_process';
import path from 'node:path';
import type { OwnStack } from '../support/stack';
import { readStack, startOwnStack } from '../support/stack';

const root = path.resolve(__dirname, '..', '..');
let own: OwnStack;

beforeAll(async () => {
  own = await startOwnStack({ keepData: true });
});
afterAll(async () => {
  await own.stop();
});

/** The status of a request that only a key of this installation may make. */
const statusWith = async (key: string): Promise<number> => {
  const response = await fetch(`${own.run().api}/v1/sessions?limit=1`, { headers: { authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
};

test('two stacks side by side share no address', () => {
  const addresses = [readStack(), own.run()].flatMap(({ api, s3, mongo, temporal }) => [api, s3, mongo, temporal]);
  expect(new Set(addresses).size).toBe(addresses.length);
});

test.each(['api', 'worker', 'mongod', 'temporal', 's3'])('%s killed with -9 comes back', async (role) => {
  const before = own.run().pids[role];
  own.kill(role);
  await own.untilReady();
  expect(own.run().pids[role]).not.toBe(before);
});

test('a second start in the same home says where the first serves, and starts nothing', () => {
  const before = own.run();
  const second = spawnSync(process.execPath, ['scripts/start.mjs', '--no-demo'], {
    cwd: root,
    env: { ...process.env, VOUCH_HOME: own.home },
    encoding: 'utf8',
  });
  expect(second.status).toBe(0);
  expect(second.stdout).toContain(before.api);
  expect(own.run().pids).toEqual(before.pids);
});

test('a launcher killed with -9 is recovered from by the next start, with its data and keys', async () => {
  const before = own.run();
  own.kill('launcher');
  await own.restart();
  const after = own.run();
  for (const [role, pid] of Object.entries(before.pids))
    expect({ [role]: after.pids[role] }).not.toEqual({ [role]: pid });
  expect(after.identityApiKey).toBe(before.identityApiKey);
  expect(await statusWith(before.identityApiKey)).toBe(200);
});
