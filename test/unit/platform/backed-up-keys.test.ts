import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openBackupTarget } from '../../../lib/backup/target';
import { openVault } from '../../../lib/backup/vault';
import type { BackupVault } from '../../../lib/backup/vault';
import { systemClock } from '../../../lib/clock';
import { KEY_BYTES } from '../../../lib/crypto/envelope';
import { MasterKey } from '../../../lib/crypto/master-key';
import type { KeyStore } from '../../../lib/key-store';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { backUpKeys, requireReadableKeys, restoreKeys } from '../../../services/platform/backup/keys';
import { createGeneration } from '../../../services/platform/evidence/wrapping-keys';
import type { Platform } from '../../../services/platform/platform';
import { Singletons } from '../../../services/platform/singletons';
import { readNoSettings } from '../../support/no-settings';

/** Ids of wrapping keys: the time of creation and a random part. */
const FIRST = '0mf3k2a01aaaaaaaaaaaa';
const SECOND = '0mf3k2a02bbbbbbbbbbbb';

let folder: string;
let vault: BackupVault;
let entries: Map<string, Buffer>;
let platform: Pick<Platform, 'keyStore'>;

function createMemoryStore(): KeyStore {
  return {
    write: (name, body) => Promise.resolve(void entries.set(name, body)),
    replace: () => Promise.resolve(false),
    read: (name) => Promise.resolve(entries.get(name) ?? null),
    async *list(prefix) {
      yield* await Promise.resolve([...entries.keys()].filter((name) => name.startsWith(prefix)).sort());
    },
    remove: (name) => Promise.resolve(void entries.delete(name)),
  };
}

const fill = (...names: string[]): void => {
  entries.clear();
  for (const name of names) entries.set(name, Buffer.from(`key ${name}`));
};

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'vouch-keys-'));
  vault = await openVault(openBackupTarget(folder, readNoSettings), 'a passphrase of a test', true);
  entries = new Map();
  platform = { keyStore: createMemoryStore() };
  // Both organisations have data that is encrypted.
  jest.spyOn(DataKey, 'distinct').mockImplementation((() => Promise.resolve(['org_1', 'org_2'])) as never);
});
afterEach(() => rm(folder, { recursive: true }));

test('a backup after the key store was emptied keeps the keys of the earlier one, which are restored', async () => {
  const names = ['erasures/ers_1', `org_1/${FIRST}`, `org_2/${FIRST}`];
  fill(...names);
  expect(await backUpKeys(platform, vault)).toEqual({ count: 3, organisationsWithoutKeys: [] });
  fill();
  expect(await backUpKeys(platform, vault)).toEqual({ count: 3, organisationsWithoutKeys: ['org_1', 'org_2'] });
  expect(await restoreKeys(platform, vault)).toBe(3);
  expect([...entries.keys()].sort()).toEqual(names);
  expect(entries.get(`org_1/${FIRST}`)).toEqual(Buffer.from(`key org_1/${FIRST}`));
});

test('so does a backup after a new organisation has created its first key in the emptied key store', async () => {
  fill(`org_1/${FIRST}`, `org_2/${FIRST}`);
  await backUpKeys(platform, vault);
  fill(`org_3/${SECOND}`);
  expect(await backUpKeys(platform, vault)).toEqual({ count: 3, organisationsWithoutKeys: ['org_1', 'org_2'] });
  expect(await restoreKeys(platform, vault)).toBe(2);
  expect([...entries.keys()].sort()).toEqual([`org_1/${FIRST}`, `org_2/${FIRST}`, `org_3/${SECOND}`]);
});

test('a key that its organisation has replaced is neither kept nor restored', async () => {
  fill(`org_1/${FIRST}`, `org_2/${FIRST}`);
  await backUpKeys(platform, vault);
  fill(`org_1/${SECOND}`, `org_2/${FIRST}`);
  expect(await restoreKeys(platform, vault)).toBeNull();
  expect(await backUpKeys(platform, vault)).toEqual({ count: 2, organisationsWithoutKeys: [] });
  fill();
  expect(await restoreKeys(platform, vault)).toBe(2);
  expect([...entries.keys()].sort()).toEqual([`org_1/${SECOND}`, `org_2/${FIRST}`]);
});

test('keys that a later master key encrypts are refused without it, and by another key of the same id', async () => {
  const parse = (...ids: string[]): MasterKey =>
    new MasterKey(ids.map((id) => ({ id, key: Buffer.alloc(KEY_BYTES, id) })));
  const context = { ...platform, clock: systemClock, singletons: new Singletons(), masterKey: parse('k2') };
  await createGeneration(context, 'org_1');
  entries.set('erasures/ers_1', Buffer.from('an entry of the log of erasures'));
  await backUpKeys(platform, vault);
  await expect(requireReadableKeys({ masterKey: parse('k2', 'k1') }, vault)).resolves.toBeUndefined();
  const needed = /^MASTER_KEY: the copy of the keys \(keys\.veb\) needs the master key k2/;
  await expect(requireReadableKeys({ masterKey: parse('k1') }, vault)).rejects.toThrow(needed);
  const other = new MasterKey([{ id: 'k2', key: Buffer.alloc(KEY_BYTES, 'other') }]);
  await expect(requireReadableKeys({ masterKey: other }, vault)).rejects.toThrow(needed);
});
