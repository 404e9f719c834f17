import { newId } from '../../../lib/ids';
import { withMongoTransaction } from '../../../lib/mongo';
import { DataKey } from '../../../models/platform/evidence/data-key';
import { createBlindIndex } from '../../../services/platform/evidence/blind-index';
import { createDataKeys, openDataKeys, readTogether, sealValue } from '../../../services/platform/evidence/data-keys';
import { destroyDataKeys } from '../../../services/platform/evidence/evidence';
import { createFieldCipher } from '../../../services/platform/evidence/field-cipher';
import type { Platform, Scope } from '../../../services/platform/platform';
import { runTransaction } from '../../../services/platform/transactions/unit-of-work';
import { closeTestPlatform, createTenant, getTestPlatform } from '../../support/tenant';

let platform: Platform;
let scope: Scope & { mode: 'live' };
beforeAll(async () => {
  platform = await getTestPlatform();
  scope = { organisationId: (await createTenant('Data keys')).organisationId, mode: 'live' };
});
afterAll(closeTestPlatform);
afterEach(() => jest.restoreAllMocks());

/** Creates the data key of a new record. @returns id of the record */
async function createRecordKey(): Promise<string> {
  const recordId = newId('ses');
  const field = { owner: { ...scope, recordId }, name: 'test.value', value: Buffer.from('x') };
  await withMongoTransaction((mongoSession) => createFieldCipher(platform).seal([field], mongoSession));
  return recordId;
}

const destroy = (recordId: string): Promise<number> =>
  runTransaction(platform, (unit) => destroyDataKeys(unit, scope, [recordId]));

test('a transaction reads the data key of a record once, and the next transaction reads it again', async () => {
  const recordId = await createRecordKey();
  const find = jest.spyOn(DataKey, 'find');
  const read = () =>
    withMongoTransaction(async (mongoSession) => {
      await sealValue(platform, scope, recordId, 'first', Buffer.from('1'), mongoSession);
      await sealValue(platform, scope, recordId, 'second', Buffer.from('2'), mongoSession);
      return openDataKeys(platform, scope, [recordId], mongoSession);
    });
  expect((await read()).has(recordId)).toBe(true);
  expect(find).toHaveBeenCalledTimes(1);
  await destroy(recordId);
  await expect(read()).rejects.toMatchObject({ status: 404 });
});

test('a repetition of a transaction does not use what the interrupted one has read', async () => {
  const recordId = await createRecordKey();
  let runs = 0;
  const found = await withMongoTransaction(async (mongoSession) => {
    runs += 1;
    const keys = await openDataKeys(platform, scope, [recordId], mongoSession);
    if (runs > 1) return keys;
    await destroy(recordId);
    // This transaction has not seen the erasure, and writes what the erasure has written.
    await DataKey.updateOne({ _id: recordId }, { $inc: { files: 1 } }, { session: mongoSession });
    return keys;
  });
  expect({ runs, found: found.size }).toEqual({ runs: 2, found: 0 });
});

test('a transaction that destroys a data key cannot use it any more', async () => {
  const recordId = await createRecordKey();
  const keys = await runTransaction(platform, async (unit) => {
    await openDataKeys(platform, scope, [recordId], unit.mongoSession);
    await destroyDataKeys(unit, scope, [recordId]);
    return openDataKeys(platform, scope, [recordId], unit.mongoSession);
  });
  expect(keys.size).toBe(0);
});

test('a key is kept for its organisation and mode only', async () => {
  const recordId = await createRecordKey();
  const found = await withMongoTransaction(async (mongoSession) => {
    await openDataKeys(platform, scope, [recordId], mongoSession);
    return openDataKeys(platform, { ...scope, mode: 'test' }, [recordId], mongoSession);
  });
  expect(found.size).toBe(0);
});

test('a transaction creates no data key of an erased record', async () => {
  const recordId = await createRecordKey();
  await destroy(recordId);
  const create = withMongoTransaction((mongoSession) => createDataKeys(platform, scope, [recordId], mongoSession));
  await expect(create).rejects.toMatchObject({ status: 404 });
});

test('reads that belong together read a data key once, and later reads read it again', async () => {
  const recordId = await createRecordKey();
  const find = jest.spyOn(DataKey, 'find');
  const open = () => openDataKeys(platform, scope, [recordId]);
  const found = await readTogether(async () => [await open(), await open()]);
  expect(found.map(({ size }) => size)).toEqual([1, 1]);
  expect(find).toHaveBeenCalledTimes(1);
  await destroy(recordId);
  expect((await open()).size).toBe(0);
});

test('what was begun among reads that belong together cannot use their data keys after them', async () => {
  const recordId = await createRecordKey();
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  let late = Promise.resolve(new Map<string, Buffer>());
  await readTogether(async () => {
    await openDataKeys(platform, scope, [recordId]);
    late = released.then(() => openDataKeys(platform, scope, [recordId]));
  });
  await destroy(recordId);
  release();
  expect((await late).size).toBe(0);
});

test('a transaction among reads that belong together reads the data key itself', async () => {
  const recordId = await createRecordKey();
  const write = readTogether(async () => {
    await openDataKeys(platform, scope, [recordId]);
    await destroy(recordId);
    return withMongoTransaction((mongoSession) =>
      sealValue(platform, scope, recordId, 'first', Buffer.from('1'), mongoSession),
    );
  });
  await expect(write).rejects.toMatchObject({ status: 404 });
});

test('a process reads the key of a blind index once', async () => {
  const findOne = jest.spyOn(DataKey, 'findOne');
  const first = await createBlindIndex(platform, scope, 'sessions');
  const second = await createBlindIndex(platform, scope, 'sessions');
  expect(second.compute('value')).toBe(first.compute('value'));
  expect(findOne).toHaveBeenCalledTimes(1);
  const other = await createBlindIndex(platform, { ...scope, mode: 'test' }, 'sessions');
  expect(other.compute('value')).not.toBe(first.compute('value'));
});
