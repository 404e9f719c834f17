import { toDecimal128 } from '../../../models/business/decimal128';
import { ZERO } from '../../../domain/business/decimal';
import { convertRows, getRawCollection } from '../../platform/migrations/batches';
import type { Migration } from '../../platform/migrations/migration';

const IS_POSITIVE = { $gt: toDecimal128(ZERO) };

/**
 * Earlier versions recorded a receipt as void that was paid in part and returned for the rest. Its item says which it is:
 * a bill replaces only receipts of which nothing is paid, so that one with a payment or credit that still counts, and
 * nothing open, is settled.
 */
export const receiptStates: Migration = {
  version: 12,
  name: 'receipt-states',
  summary: 'settles receipts that are void although they were paid in part before the rest was returned',
  run: (context) =>
    convertRows(context, {
      collection: 'open_items',
      filter: {
        side: 'payable',
        kind: 'receipt',
        state: 'void',
        open: toDecimal128(ZERO),
        $or: [{ settled: IS_POSITIVE }, { credited: IS_POSITIVE }],
      },
      async convert(rows, session) {
        // The version changes, so that a transaction that has read the item before conflicts and runs again.
        const { modifiedCount } = await getRawCollection('open_items').updateMany(
          { _id: { $in: rows.map(({ _id }) => _id) } },
          { $set: { state: 'settled', updatedAt: context.platform.clock.now() }, $inc: { version: 1 } },
          { session },
        );
        return modifiedCount;
      },
    }),
};
