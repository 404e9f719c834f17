import mongoose from 'mongoose';
import { isDuplicateKeyError, isDuplicateKeyErrorOn } from '../../../lib/mongo';

const buildDuplicateKeyError = (keyPattern: Record<string, number>) =>
  new mongoose.mongo.MongoServerError({ message: 'E11000 duplicate key', code: 11_000, keyPattern });

test('a duplicate key error is recognised by its unique index, and no other error is', () => {
  const number = ['organisationId', 'vendorId', 'number'];
  const met = buildDuplicateKeyError({ organisationId: 1, vendorId: 1, number: 1 });
  const other = buildDuplicateKeyError({ organisationId: 1, id: 1 });
  expect([met, other].map(isDuplicateKeyError)).toEqual([true, true]);
  expect([met, other].map((error) => isDuplicateKeyErrorOn(error, number))).toEqual([true, false]);
  const failures = [
    new mongoose.mongo.MongoServerError({ message: 'E11000', code: 11_000 }),
    new mongoose.mongo.MongoServerError({ message: 'down', code: 91, keyPattern: { organisationId: 1 } }),
    new Error('E11000 duplicate key'),
    null,
  ];
  expect(failures.map((error) => isDuplicateKeyErrorOn(error, number))).toEqual([false, false, false, false]);
});
