import mongoose from 'mongoose';
import { keepSnapshots, SNAPSHOT_SECONDS } from '../../../services/platform/backup/records';
import { closeTestPlatform, getTestPlatform } from '../../support/tenant';

const NAME = 'minSnapshotHistoryWindowInSeconds';

const getAdmin = () => mongoose.connection.getClient().db('admin');

const setWindow = (seconds: number) => getAdmin().command({ setParameter: 1, [NAME]: seconds });

async function readWindow(): Promise<number> {
  const { [NAME]: seconds } = await getAdmin().command({ getParameter: 1, [NAME]: 1 });
  return Number(seconds);
}

let before: number;
beforeAll(async () => {
  await getTestPlatform();
  before = await readWindow();
});
afterAll(async () => {
  await setWindow(before);
  await closeTestPlatform();
});

test('a backup has MongoDB keep snapshots for a day, and then as long as before', async () => {
  const { logger } = await getTestPlatform();
  await setWindow(900);
  const restore = await keepSnapshots(logger);
  expect(await readWindow()).toBeGreaterThanOrEqual(24 * 3600);
  await restore();
  expect(await readWindow()).toBe(900);
});

test('a backup that was killed does not make MongoDB keep snapshots for a day for ever', async () => {
  const { logger } = await getTestPlatform();
  await setWindow(900);
  await keepSnapshots(logger);
  expect(await readWindow()).toBe(SNAPSHOT_SECONDS);
  const restore = await keepSnapshots(logger);
  await restore();
  expect(await readWindow()).toBe(300);
});
