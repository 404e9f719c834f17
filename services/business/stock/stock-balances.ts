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

/** Goods of a document line that are received or issued. */
export interface StockLine {
  lineId: number;
  /** Path of the quantity in the request, such as `lines[0].quantity`. */
  field: string;
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  quantity: Decimal;
}

/** The quantity of a product that is needed in a warehouse. */
export interface Demand {
  first: StockLine;
  quantity: Decimal;
}

/** Groups lines by product and warehouse, sorted by key so that concurrent transactions cannot deadlock. */
export function aggregateDemands(lines: readonly StockLine[]): Demand[] {
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

/** The key of the balance of a product in a warehouse. */
export const buildBalanceKey = (organisationId: string, line: StockLine) => ({
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

interface HeldStock {
  onHand: StockBalanceRecord['onHand'];
  reserved?: StockBalanceRecord['onHand'] | undefined;
}

/** Quantity on hand that no confirmed order reserves. */
export const getAvailable = ({ onHand, reserved }: HeldStock): Decimal =>
  fromDecimal128(onHand).minus(reserved === undefined ? ZERO : fromDecimal128(reserved));

/** The guard of a balance: so much is on hand and not reserved. */
export const requireAvailable = (quantity: Decimal) => ({
  $expr: { $gte: [{ $subtract: ['$onHand', { $ifNull: ['$reserved', { $toDecimal: 0 }] }] }, toDecimal128(quantity)] },
});

/** The lines whose quantity exceeds the available quantity, read without a guard. */
export async function findDemandShortages(organisationId: string, demands: readonly Demand[]): Promise<Shortage[]> {
  const productId = { $in: demands.map(({ first }) => first.productId) };
  const balances = await StockBalance.find({ organisationId, productId }).lean<StockBalanceRecord[]>();
  const onHand = new Map(balances.map((row) => [`${row.productId}/${row.warehouseId}`, getAvailable(row)]));
  return demands.flatMap((demand) => {
    const available = onHand.get(`${demand.first.productId}/${demand.first.warehouseId}`) ?? ZERO;
    return available.lt(demand.quantity) ? buildShortage(demand, available) : [];
  });
}

/** The lines whose quantity exceeds the available quantity, for dry runs. */
export const findShortages = (organisationId: string, lines: readonly StockLine[]): Promise<Shortage[]> =>
  findDemandShortages(organisationId, aggregateDemands(lines));

/**
 * Reduces the balances, each under the guard that so much is on hand and not reserved. If a guard fails, the shortage
 * is read outside the transaction, which may have reduced balances already. If nothing is short by then, goods arrived
 * after the snapshot of the transaction, and it is retried.
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
        filter: { ...buildBalanceKey(organisationId, first), ...requireAvailable(quantity) },
        update: { $inc: { onHand: toDecimal128(quantity.neg()) } },
      },
    })),
    { session: unit.mongoSession },
  );
  if (taken.matchedCount === demands.length) return;
  const shortages = await findDemandShortages(organisationId, demands);
  throw shortages.length > 0
    ? insufficientStockError(shortages)
    : transientTransactionError('A stock balance increased concurrently with the transaction.');
}

/** Increases the balances of active warehouses. */
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
