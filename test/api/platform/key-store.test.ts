import { randomBytes } from 'node:crypto';
import { loadConfig } from '../../../lib/config';
import { MasterKey } from '../../../lib/crypto/master-key';
import type { MasterKeyEntry } from '../../../lib/crypto/master-key';
import { createKeyStore } from '../../../lib/key-store';
import type { KeyStore } from '../../../lib/key-store';
import { createGeneration, readWrappingKey } from '../../../services/platform/evidence/wrapping-keys';
import type { KeyContext } from '../../../services/platform/evidence/wrapping-keys';
import { SEALED_KEY_STORE } from '../../../services/platform/keys/sealed-key-store';
import { Singletons } from '../../../services/platform/singletons';

/** A bucket of its own, whose entries belong to no organisation of the stack. */
const config = { ...loadConfig(), S3_KEY_BUCKET: `keys-${randomBytes(4).toString('hex')}` };
const keyStore = createKeyStore(config);
const first = { id: 'k1', key: randomBytes(32) };
const second = { id: 'k2', key: randomBytes(32) };
const third = { id: 'k3', key: randomBytes(32) };

const createContext = (keys: readonly MasterKeyEntry[], store: KeyStore = keyStore): KeyContext => ({
  keyStore: store,
  masterKey: new MasterKey(keys),
  clock: { now: () => new Date() },
  singletons: new Singletons(),
});

/** A store in which another process does something after each read. */
const interruptReads = (work: () => Promise<unknown>): KeyStore => ({
  ...keyStore,
  async read(name) {
    const body = await keyStore.read(name);
    await work();
    return body;
  },
});

const rewrap = (context: KeyContext) => SEALED_KEY_STORE.rewrap(context, 100, () => undefined);

test('of two rotations at the same time, the one that read a wrapping key before the other replaced it leaves it as it is', async () => {
  const { generation, key } = await createGeneration(createContext([first]), 'org_1');
  const newest = createContext([third, second, first]);
  const store = interruptReads(() => rewrap(newest));
  expect(await rewrap(createContext([second, first], store))).toEqual({ rewrapped: 0, unreadable: [] });
  expect(await SEALED_KEY_STORE.countByKey(newest)).toEqual(new Map([['k3', 1]]));
  expect(await readWrappingKey(createContext([third]), 'org_1', generation)).toEqual(key);
  await keyStore.remove(`org_1/${generation}`);
});

test('a wrapping key that is removed while a rotation encrypts it again stays removed', async () => {
  const { generation } = await createGeneration(createContext([first]), 'org_2');
  const store = interruptReads(() => keyStore.remove(`org_2/${generation}`));
  expect(await rewrap(createContext([second, first], store))).toEqual({ rewrapped: 0, unreadable: [] });
  expect(await keyStore.read(`org_2/${generation}`)).toBeNull();
});

test('of simultaneous replacements of one entry, one takes effect', async () => {
  const seen = Buffer.from('seen');
  await keyStore.write('org_3/entry', seen);
  const bodies = Array.from({ length: 8 }, (_, number) => Buffer.from(`replacement ${number}`));
  const replaced = await Promise.all(bodies.map((body) => keyStore.replace('org_3/entry', seen, body)));
  expect(replaced.filter(Boolean)).toHaveLength(1);
  expect(await keyStore.read('org_3/entry')).toEqual(bodies[replaced.indexOf(true)]);
});

test('a report names the wrapping keys that cannot be decrypted, and changes none', async () => {
  const lost = await createGeneration(createContext([first]), 'org_4');
  const known = await createGeneration(createContext([second]), 'org_4');
  const context = createContext([third, second]);
  expect(await SEALED_KEY_STORE.findUnreadable(context, 100, 20)).toEqual([`org_4/${lost.generation}`]);
  expect(await SEALED_KEY_STORE.countByKey(context)).toEqual(
    new Map([
      ['k1', 1],
      ['k2', 1],
    ]),
  );
  for (const { generation } of [lost, known]) await keyStore.remove(`org_4/${generation}`);
});
