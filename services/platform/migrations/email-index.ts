import mongoose from 'mongoose';
import type { Migration } from './migration';
import { getRawCollection } from './batches';

const RETIRED_INDEX = 'email_1';
const NOT_FOUND_CODES = [26, 27];

/** An email address was unique in the installation; now it is in its organisation. */
export const emailIndex: Migration = {
  version: 2,
  name: 'email-index',
  summary: 'drops the index that made an email address unique in the installation',
  async run() {
    try {
      await getRawCollection('users').dropIndex(RETIRED_INDEX);
    } catch (error) {
      const { MongoServerError } = mongoose.mongo;
      if (!(error instanceof MongoServerError && NOT_FOUND_CODES.includes(Number(error.code)))) throw error;
    }
  },
};
