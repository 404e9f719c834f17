import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { transientTransactionError } from '../../../lib/mongo';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { StockBalance } from '../../../models/business/stock/stock';
import type { StockBalanceRecord } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { insufficientStockError } from './stock-shortages';
import type { Shortage } from './stock-shortages';
import { recordArrivals } from './warehouse-arrivals';

/** Goods of one document line, in or out. */
export interface StockLine {
  lineId: number;
  /** Where the request named the quantity, such as `lines[0].quantity`. */
  field: string;
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  quantity: Decimal;
}

interface Demand {
  first: StockLine;
  quantity: Decimal;
}

/** Lines of one product and warehouse together, in the order of their keys, so that no two transactions deadlock. */
function aggregateDemands(lines: readonly StockLine[]): Demand[] {
  const demands = new Map<string, Demand>();
  for (const line of lines) {
    const key = `${line.productId}/${line.warehouseId}`;
    const demand = demands.get(key);
    if (demand) demand.quantity = demand.quantity.plus(line.quantity);
    else demands.set(key, { first: line, quantity: line.quantity });
  }
  return [...demands.values()].sort(
    (a, b) => a.first.productId - b.first.productId || a.first.warehouseId - b.first.warehouseId,
  );
}

const buildBalanceKey = (organisationId: string, line: StockLine) => ({
  organisationId,
  productId: line.productId,
  warehouseId: line.warehouseId,
});

const buildShortage = ({ first, quantity }: Demand, available: Decimal): Shortage => ({
  field: first.field,
  productId: first.productId,
  productCode: first.productCode,
  productName: first.productName,
  warehouseId: first.warehouseId,
  requested: quantity,
  available,
});

/** What the lines ask for beyond what is on hand, read without a guard. */
async function findDemandShortages(organisationId: string, demands: readonly Demand[]): Promise<Shortage[]> {
  const productId = { $in: demands.map(({ first }) => first.productId) };
  const balances = await StockBalance.find({ organisationId, productId }).lean<StockBalanceRecord[]>();
  const onHand = new Map(balances.map((row) => [`${row.productId}/${row.warehouseId}`, fromDecimal128(row.onHand)]));
  return demands.flatMap((demand) => {
    const available = onHand.get(`${demand.first.productId}/${demand.first.warehouseId}`) ?? ZERO;
    return available.lt(demand.quantity) ? buildShortage(demand, available) : [];
  });
}

/** What the lines ask for beyond what is on hand: for trial runs. */
export const findShortages = (organisationId: string, lines: readonly StockLine[]): Promise<Shortage[]> =>
  findDemandShortages(organisationId, aggregateDemands(lines));

/**
 * Takes from the balances, each under the guard that enough is on hand. What is short is read only where a guard holds,
 * beside the transaction, which may have taken some already; where nothing is short by then, goods came in after the
 * transaction's snapshot, and it runs again.
 */
export async function takeFromBalances(
  unit: UnitOfWork,
  organisationId: string,
  lines: readonly StockLine[],
): Promise<void> {
  const demands = aggregateDemands(lines);
  const taken = await StockBalance.bulkWrite(
    demands.map(({ first, quantity }) => ({
      updateOne: {
        filter: { ...buildBalanceKey(organisationId, first), onHand: { $gte: toDecimal128(quantity) } },
        update: { $inc: { onHand: toDecimal128(quantity.neg()) } },
      },
    })),
    { session: unit.mongoSession },
  );
  if (taken.matchedCount === demands.length) return;
  const shortages = await findDemandShortages(organisationId, demands);
  throw shortages.length > 0
    ? insufficientStockError(shortages)
    : transientTransactionError('A stock balance rose beside the transaction.');
}

/** Adds to the balances of warehouses that are open. */
export async function addToBalances(
  unit: UnitOfWork,
  organisationId: string,
  lines: readonly StockLine[],
): Promise<void> {
  await recordArrivals(unit, organisationId, lines);
  await StockBalance.bulkWrite(
    aggregateDemands(lines).map(({ first, quantity }) => ({
      updateOne: {
        filter: buildBalanceKey(organisationId, first),
        update: { $inc: { onHand: toDecimal128(quantity) } },
        upsert: true,
      },
    })),
    { session: unit.mongoSession },
  );
}
