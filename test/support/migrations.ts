import { withMongoTransaction } from '../../lib/mongo';
import type { Migration } from '../../services/platform/migrations/migration';
import type { Platform } from '../../services/platform/platform';

/**
 * Runs one migration on a database that other tests use, without recording it.
 * @returns the number of records that it converted
 */
export async function runMigration(platform: Platform, migration: Migration): Promise<number> {
  let total = 0;
  await migration.run({
    platform,
    cursor: null,
    async commit(write) {
      const batch = await withMongoTransaction(write);
      total += batch.converted;
      return batch;
    },
  });
  return total;
}
