import mongoose from 'mongoose';
import '../../../../models/identity';
import '../../../../models/platform';
import { PERSON_RECORD_KINDS } from '../../../../domain/identity/erasure/erasure';
import { ERASED_COLLECTIONS, NOT_ERASED } from '../../../../services/identity/erasure/collections';
import { PERSON_RECORDS } from '../../../../services/identity/erasure/person-records';

const erased = ERASED_COLLECTIONS.map(({ collection }) => collection);
const existing = Object.values(mongoose.models).map((model) => model.collection.collectionName);

test('every collection says how it forgets a person, or why it need not', () => {
  expect([...erased, ...Object.keys(NOT_ERASED)].sort()).toEqual(existing.sort());
});

test('no collection has two entries, since the second would find itself done', () => {
  expect(new Set(erased).size).toBe(erased.length);
});

test('the record itself goes last, so that an erasure cut short is still seen to be unfinished', () => {
  expect(erased.slice(-2)).toEqual(['checks', 'sessions']);
});

test('every kind of person record can be closed', () => {
  expect(Object.keys(PERSON_RECORDS).sort()).toEqual([...PERSON_RECORD_KINDS].sort());
});
