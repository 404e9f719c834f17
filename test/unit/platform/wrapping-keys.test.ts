import { randomBytes } from 'node:crypto';
import { DAY_MS } from '../../../domain/durations';
import { unavailableError } from '../../../domain/errors';
import { MasterKey } from '../../../lib/crypto/master-key';
import type { KeyStore } from '../../../lib/key-store';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { authenticate, isAuthentic } from '../../../services/platform/evidence/wrapping-codes';
import {
  createGeneration,
  getCurrentWrappingKey,
  getGenerationTime,
  getIndexingGeneration,
  listGenerations,
  listKeyedOrganisations,
  readWrappingKey,
  removeGeneration,
} from '../../../services/platform/evidence/wrapping-keys';
import type { KeyContext } from '../../../services/platform/evidence/wrapping-keys';
import { Singletons } from '../../../services/platform/singletons';

const START = Date.UTC(2026, 0, 1);
const masterKey = new MasterKey([{ id: 'k1', key: randomBytes(32) }]);

/** A key store in memory that counts reads and can be unreachable. */
function createMemoryStore() {
  const entries = new Map<string, Buffer>();
  const state = { reads: 0, lists: 0, away: false };
  const check = (): void => {
    if (state.away) throw unavailableError('The key store is away.');
  };
  const store: KeyStore = {
    write: (name, body) => Promise.resolve(void entries.set(name, body)),
    replace: (name, seen, body) => {
      const unchanged = entries.get(name)?.equals(seen) ?? false;
      if (unchanged) entries.set(name, body);
      return Promise.resolve(unchanged);
    },
    read: (name) => {
      state.reads += 1;
      check();
      return Promise.resolve(entries.get(name) ?? null);
    },
    async *list(prefix) {
      state.lists += 1;
      check();
      yield* [...entries.keys()].filter((name) => name.startsWith(prefix)).sort();
      await Promise.resolve();
    },
    remove: (name) => Promise.resolve(void entries.delete(name)),
  };
  return { store, state, entries };
}

/** Whether data keys of an organisation are encrypted with wrapping keys. */
const haveDataKeys = jest.fn(() => false);
beforeEach(() => {
  haveDataKeys.mockReturnValue(false);
  jest
    .spyOn(DataKey, 'exists')
    .mockImplementation((() => Promise.resolve(haveDataKeys() ? { _id: 'ses_1' } : null)) as never);
});

function createContext(store: KeyStore, days = 0): KeyContext {
  const clock = { now: () => new Date(START + days * DAY_MS) };
  return { keyStore: store, masterKey, clock, singletons: new Singletons() };
}

test('a key store without the keys that data keys name gets no new ones', async () => {
  const { store, entries } = createMemoryStore();
  haveDataKeys.mockReturnValue(true);
  const message = 'S3_KEY_BUCKET names another bucket, or it was emptied';
  await expect(getCurrentWrappingKey(createContext(store), 'org_1')).rejects.toThrow(message);
  expect(entries.size).toBe(0);
});

test('simultaneous first uses create one generation', async () => {
  const { store, entries } = createMemoryStore();
  const context = createContext(store);
  const keys = await Promise.all(Array.from({ length: 20 }, () => getCurrentWrappingKey(context, 'org_1')));
  expect(new Set(keys.map(({ generation }) => generation)).size).toBe(1);
  expect(entries.size).toBe(1);
  expect(await listKeyedOrganisations(context)).toEqual(['org_1']);
});

test('the newest generation encrypts, and its id states when it was created', async () => {
  const { store } = createMemoryStore();
  const old = await getCurrentWrappingKey(createContext(store), 'org_1');
  const later = createContext(store, 31);
  const next = await createGeneration(later, 'org_1');
  expect((await getCurrentWrappingKey(later, 'org_1')).key).toEqual(next.key);
  expect(await listGenerations(later, 'org_1')).toEqual([next.generation, old.generation]);
  expect(getGenerationTime(next.generation)).toEqual(new Date(START + 31 * DAY_MS));
  expect(await listGenerations(later, 'org_2')).toEqual([]);
});

test('a new generation encrypts blind indexes only once every process lists it, so that none misses a stored value', async () => {
  const { store } = createMemoryStore();
  const old = await getCurrentWrappingKey(createContext(store), 'org_1');
  const getIndexing = (days: number) => getIndexingGeneration(createContext(store, days), 'org_1');
  expect(await getIndexing(0)).toBe(old.generation);
  const next = await createGeneration(createContext(store, 31), 'org_1');
  const minute = 1 / (24 * 60);
  expect(await getIndexing(31 + minute)).toBe(old.generation);
  expect(await getIndexing(31 + 3 * minute)).toBe(next.generation);
});

test('simultaneous uses of a key read the store once', async () => {
  const { store, state } = createMemoryStore();
  await getCurrentWrappingKey(createContext(store), 'org_1');
  const other = createContext(store);
  const before = { ...state };
  const keys = await Promise.all(Array.from({ length: 50 }, () => getCurrentWrappingKey(other, 'org_1')));
  expect(new Set(keys.map(({ generation }) => generation)).size).toBe(1);
  expect({ reads: state.reads - before.reads, lists: state.lists - before.lists }).toEqual({ reads: 1, lists: 1 });
});

test('a key is read from the store once, and serves while the store is away', async () => {
  const { store, state } = createMemoryStore();
  const { generation, key } = await getCurrentWrappingKey(createContext(store), 'org_1');
  const other = createContext(store);
  for (let use = 0; use < 100; use += 1) expect(await readWrappingKey(other, 'org_1', generation)).toEqual(key);
  expect(state.reads).toBe(1);
  state.away = true;
  expect(await readWrappingKey(other, 'org_1', generation)).toEqual(key);
  await expect(readWrappingKey(createContext(store), 'org_1', generation)).rejects.toMatchObject({ status: 503 });
});

test('an entry is useless without the master key, and under another organisation', async () => {
  const { store, entries } = createMemoryStore();
  const { generation, key } = await getCurrentWrappingKey(createContext(store), 'org_1');
  const body = entries.get(`org_1/${generation}`) ?? Buffer.alloc(0);
  expect(body.includes(key.toString('base64'))).toBe(false);
  entries.set(`org_2/${generation}`, body);
  await expect(readWrappingKey(createContext(store), 'org_2', generation)).rejects.toThrow();
});

test('a removed generation is gone, for codes too', async () => {
  const { store } = createMemoryStore();
  const context = createContext(store);
  const code = await authenticate(context, 'org_1', 'request');
  const [generation = ''] = code.split(':');
  expect(await isAuthentic(context, 'org_1', code, 'request')).toBe(true);
  expect(await isAuthentic(context, 'org_1', code, 'another request')).toBe(false);
  expect(await isAuthentic(context, 'org_2', code, 'request')).toBe(false);
  await createGeneration(createContext(store, 31), 'org_1');
  await removeGeneration(context, 'org_1', generation);
  expect(await readWrappingKey(context, 'org_1', generation)).toBeNull();
  expect(await isAuthentic(context, 'org_1', code, 'request')).toBe(false);
});
