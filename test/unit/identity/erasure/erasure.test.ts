import { readdirSync } from 'node:fs';
import path from 'node:path';
import { Model } from 'mongoose';
import { PERSON_RECORD_KINDS } from '../../../../domain/identity/erasure/erasure';
import { ERASED_COLLECTIONS, RETAINED_COLLECTIONS } from '../../../../services/identity/erasure/collections';
import { RECORD_CLOSERS } from '../../../../services/identity/erasure/person-records';

const erasedCollections = ERASED_COLLECTIONS.map(({ collection }) => collection);

/** The collections of every model in a folder of models/. */
async function listCollections(area: string): Promise<string[]> {
  const folder = path.resolve(__dirname, '..', '..', '..', '..', 'models', area);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  const modules = await Promise.all(
    files.map(async (file) => Object.values((await import(path.join(folder, file))) as Record<string, unknown>)),
  );
  return modules
    .flat()
    .filter((value): value is typeof Model => typeof value === 'function' && value.prototype instanceof Model)
    .map((model) => model.collection.collectionName);
}

test('every collection is erased or has a reason why it is retained', async () => {
  const existing = [...(await listCollections('identity')), ...(await listCollections('platform'))];
  expect([...erasedCollections, ...Object.keys(RETAINED_COLLECTIONS)].sort()).toEqual([...new Set(existing)].sort());
});

test('every collection has only one entry', () => {
  expect(new Set(erasedCollections).size).toBe(erasedCollections.length);
});

test('the record itself is erased last, so that an interrupted erasure remains visible', () => {
  expect(erasedCollections.slice(-2)).toEqual(['checks', 'sessions']);
});

test('every kind of person record can be closed', () => {
  expect(Object.keys(RECORD_CLOSERS).sort()).toEqual([...PERSON_RECORD_KINDS].sort());
});
