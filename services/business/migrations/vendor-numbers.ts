import mongoose from 'mongoose';
import { getRawCollection } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

const RETIRED_KEY = ['organisationId', 'vendorId', 'type', 'number'] as const;
const KEY = [...RETIRED_KEY, 'voidedId'] as const;

/**
 * The number of a void bill or credit note can be used again, so that its id is part of the unique key. The new index is
 * created before the earlier one is dropped: at no time can a number be taken twice.
 */
export const vendorNumbers: Migration = {
  version: 14,
  name: 'vendor-numbers',
  summary: 'replaces the index that makes the numbers of bills and credit notes of vendors unique, void ones excepted',
  async run() {
    const payables = getRawCollection('payables');
    await payables.createIndex(Object.fromEntries(KEY.map((field) => [field, 1])), {
      unique: true,
      partialFilterExpression: { type: { $in: ['bill', 'credit_note'] } },
    });
    try {
      await payables.dropIndex(RETIRED_KEY.map((field) => `${field}_1`).join('_'));
    } catch (error) {
      const { MongoServerError } = mongoose.mongo;
      // Index not found: the migration was interrupted after it had dropped it.
      if (!(error instanceof MongoServerError && error.code === 27)) throw error;
    }
  },
};
