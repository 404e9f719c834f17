import { transientTransactionError } from '../../../lib/mongo';
import { toDecimal128 } from '../../../models/business/decimal128';
import { StockBalance } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { aggregateDemands, buildBalanceKey, findDemandShortages, requireAvailable } from './stock-balances';
import type { StockLine } from './stock-balances';
import { insufficientStockError } from './stock-shortages';

/**
 * Reserves goods, each under the guard that as much is on hand and not reserved yet. Reserved goods stay in their
 * warehouse, and nothing else can issue them.
 * @throws AppError 409 `insufficient_stock` with products and available quantities
 */
export async function reserveStock(
  unit: UnitOfWork,
  organisationId: string,
  lines: readonly StockLine[],
): Promise<void> {
  const demands = aggregateDemands(lines);
  if (demands.length === 0) return;
  const reserved = await StockBalance.bulkWrite(
    demands.map(({ first, quantity }) => ({
      updateOne: {
        filter: { ...buildBalanceKey(organisationId, first), ...requireAvailable(quantity) },
        update: { $inc: { reserved: toDecimal128(quantity) } },
      },
    })),
    { session: unit.mongoSession },
  );
  if (reserved.matchedCount === demands.length) return;
  const shortages = await findDemandShortages(organisationId, demands);
  throw shortages.length > 0
    ? insufficientStockError(shortages)
    : transientTransactionError('A stock balance increased concurrently with the transaction.');
}

/** Releases what was reserved for the lines. */
export async function releaseStock(
  unit: UnitOfWork,
  organisationId: string,
  lines: readonly StockLine[],
): Promise<void> {
  const demands = aggregateDemands(lines);
  if (demands.length === 0) return;
  const released = await StockBalance.bulkWrite(
    demands.map(({ first, quantity }) => ({
      updateOne: {
        filter: { ...buildBalanceKey(organisationId, first), reserved: { $gte: toDecimal128(quantity) } },
        update: { $inc: { reserved: toDecimal128(quantity.neg()) } },
      },
    })),
    { session: unit.mongoSession },
  );
  if (released.matchedCount !== demands.length) throw new Error('more was to be released than is reserved');
}
