import mongoose from 'mongoose';
import '../../../../models/identity';
import '../../../../models/platform';
import { PERSON_RECORD_KINDS } from '../../../../domain/identity/erasure/erasure';
import { ERASED_COLLECTIONS, RETAINED_COLLECTIONS } from '../../../../services/identity/erasure/collections';
import { RECORD_CLOSERS } from '../../../../services/identity/erasure/person-records';

const erasedCollections = ERASED_COLLECTIONS.map(({ collection }) => collection);
const existingCollections = Object.values(mongoose.models).map((model) => model.collection.collectionName);

test('every collection is erased or has a reason why it is retained', () => {
  expect([...erasedCollections, ...Object.keys(RETAINED_COLLECTIONS)].sort()).toEqual(existingCollections.sort());
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
