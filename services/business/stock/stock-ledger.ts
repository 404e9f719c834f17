import type { ClientSession } from 'mongoose';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { divideStockValue } from '../../../domain/business/stock/stock-valuation';
import type { StockValue as ProductStock } from '../../../domain/business/stock/stock-valuation';
import { notFoundError } from '../../../domain/errors';
import { readOptions, withMongoSnapshot } from '../../../lib/mongo';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Product } from '../../../models/business/catalogue/product';
import { StockBalance, StockLedger } from '../../../models/business/stock/stock';
import type { StockBalanceRecord, StockLedgerRecord, StockMovementKind } from '../../../models/business/stock/stock';
import type { BusinessCaller } from '../access/caller';
import { readMovementSources } from './movement-sources';
import type { MovementSource } from './movement-sources';
import { decodeCursor, encodeCursor } from './stock-ledger-cursor';
import type { LedgerPosition, OpeningStock, SentPosition, WarehouseQuantities } from './stock-ledger-cursor';
import { readStockNames } from './stock-valuation';

export interface StockLedgerFilter {
  productId: number;
  warehouseId?: number | undefined;
  kinds?: readonly StockMovementKind[] | undefined;
  /** Inclusive. */
  from?: Date | undefined;
  /** Exclusive. */
  until?: Date | undefined;
  limit: number;
  cursor?: string | undefined;
}

/** Quantity and value of a product, and of the warehouse of the filter or movement. */
export interface RunningStock {
  /** In all warehouses. */
  quantityAfter: Decimal;
  valueAfter: Decimal;
  warehouseQuantityAfter: Decimal;
  warehouseValueAfter: Decimal;
}

export interface StockLedgerRow extends RunningStock {
  sequence: number;
  postedAt: Date;
  kind: StockMovementKind;
  warehouseId: number;
  warehouseCode: string;
  warehouseName: string;
  quantity: Decimal;
  value: Decimal;
  source: MovementSource;
}

export interface StockLedgerPage {
  rows: StockLedgerRow[];
  /** Stock before the first movement of the filter's days; of the warehouse if the filter names one. */
  opening: OpeningStock;
  nextCursor: string | null;
}

/** The ledger of one product, as one snapshot of the database shows it. */
interface ProductLedger {
  key: { organisationId: string; productId: number };
  /** Of every warehouse that has held the product. */
  balances: readonly StockBalanceRecord[];
  mongoSession: ClientSession;
}

/**
 * The movement of a product at the edge of a period, found by one key of the index for each warehouse.
 * @returns the sequence; null if no movement lies on that side
 */
async function findSequence(
  { key, balances, mongoSession }: ProductLedger,
  postedAt: { $gte: Date } | { $lt: Date },
): Promise<number | null> {
  const step = '$gte' in postedAt ? 1 : -1;
  const found: number[] = [];
  for (const { warehouseId } of balances) {
    const edge = await StockLedger.findOne({ ...key, warehouseId, postedAt }, { sequence: 1 })
      .sort({ postedAt: step })
      .setOptions(readOptions(mongoSession))
      .lean<{ sequence: number }>();
    if (edge !== null) found.push(edge.sequence);
  }
  if (found.length === 0) return null;
  return step === 1 ? Math.min(...found) : Math.max(...found);
}

/** The sequence of the last movement of a product; 0 if it never moved. */
async function findLatestSequence({ key, mongoSession }: ProductLedger): Promise<number> {
  const last = await StockLedger.findOne(key, { sequence: 1 })
    .sort({ sequence: -1 })
    .setOptions(readOptions(mongoSession))
    .lean<{ sequence: number }>();
  return last?.sequence ?? 0;
}

/** Quantities by warehouse after a sequence: the sum of fewer movements, or the current ones less the later. */
async function readQuantitiesAfter(
  { key, balances, mongoSession }: ProductLedger,
  sequence: number,
  latest: number,
): Promise<WarehouseQuantities> {
  const isLate = sequence > latest / 2;
  const sums = await StockLedger.aggregate<{ _id: number; quantity: StockBalanceRecord['onHand'] }>([
    { $match: { ...key, sequence: isLate ? { $gt: sequence } : { $lte: sequence } } },
    { $group: { _id: '$warehouseId', quantity: { $sum: '$quantity' } } },
  ]).option(readOptions(mongoSession));
  const moved = new Map(sums.map(({ _id, quantity }) => [_id, fromDecimal128(quantity)]));
  return new Map(
    balances.map(({ warehouseId, onHand }) => {
      const change = moved.get(warehouseId) ?? ZERO;
      return [warehouseId, isLate ? fromDecimal128(onHand).minus(change) : change];
    }),
  );
}

/** The position before the first movement of a period, and the stock at it. */
async function findStart(
  ledger: ProductLedger,
  { from, warehouseId }: StockLedgerFilter,
  baseDecimals: number,
): Promise<LedgerPosition> {
  const nothing = { quantity: ZERO, value: ZERO };
  if (from === undefined) return { sequence: 0, quantities: new Map(), opening: nothing };
  const latest = await findLatestSequence(ledger);
  const sequence = ((await findSequence(ledger, { $gte: from })) ?? latest + 1) - 1;
  const row = await StockLedger.findOne({ ...ledger.key, sequence })
    .setOptions(readOptions(ledger.mongoSession))
    .lean<StockLedgerRecord>();
  const quantities = await readQuantitiesAfter(ledger, sequence, latest);
  const product = row === null ? nothing : toProductStock(row);
  if (warehouseId === undefined) return { sequence, quantities, opening: product };
  const value = divideStockValue(product, quantities, baseDecimals).get(warehouseId) ?? ZERO;
  return { sequence, quantities, opening: { quantity: quantities.get(warehouseId) ?? ZERO, value } };
}

/** The position that a client sent, with the quantities that its cursor leaves out. */
async function completePosition(ledger: ProductLedger, { quantities, ...sent }: SentPosition): Promise<LedgerPosition> {
  if (quantities !== null) return { ...sent, quantities };
  const read = await readQuantitiesAfter(ledger, sent.sequence, await findLatestSequence(ledger));
  return { ...sent, quantities: read };
}

const toProductStock = ({ quantityAfter, valueAfter }: StockLedgerRecord): ProductStock => ({
  quantity: fromDecimal128(quantityAfter),
  value: fromDecimal128(valueAfter),
});

interface MovedSum {
  _id: { row: number; warehouseId: number };
  quantity: StockBalanceRecord['onHand'];
}

/** The quantities by warehouse after each shown movement; movements between them that are not shown are summed. */
async function readQuantitiesOfRows(
  { key, mongoSession }: ProductLedger,
  { sequence, quantities }: LedgerPosition,
  rows: readonly StockLedgerRecord[],
): Promise<WarehouseQuantities[]> {
  const last = rows.at(-1)?.sequence;
  if (last === undefined) return [];
  const shown = rows.map((row) => row.sequence);
  // The index of the row that shows the movement, or the next one.
  const row = { $size: { $filter: { input: shown, cond: { $lt: ['$$this', '$sequence'] } } } };
  const sums = await StockLedger.aggregate<MovedSum>([
    { $match: { ...key, sequence: { $gt: sequence, $lte: last } } },
    { $group: { _id: { row, warehouseId: '$warehouseId' }, quantity: { $sum: '$quantity' } } },
  ]).option(readOptions(mongoSession));
  let running = quantities;
  return rows.map((_, index) => {
    const after = new Map(running);
    for (const { _id, quantity } of sums)
      if (_id.row === index)
        after.set(_id.warehouseId, (after.get(_id.warehouseId) ?? ZERO).plus(fromDecimal128(quantity)));
    running = after;
    return after;
  });
}

/** The shown movements after a position. */
async function readMovements(
  ledger: ProductLedger,
  { warehouseId, kinds, until, limit }: StockLedgerFilter,
  start: LedgerPosition,
): Promise<StockLedgerRecord[]> {
  const last = until === undefined ? null : await findSequence(ledger, { $lt: until });
  if (until !== undefined && last === null) return [];
  return StockLedger.find({
    ...ledger.key,
    sequence: { $gt: start.sequence, ...(last === null ? {} : { $lte: last }) },
    ...(warehouseId === undefined ? {} : { warehouseId }),
    ...(kinds === undefined ? {} : { kind: { $in: [...kinds] } }),
  })
    .sort({ sequence: 1 })
    .limit(limit)
    .setOptions(readOptions(ledger.mongoSession))
    .lean<StockLedgerRecord[]>();
}

/**
 * The movements of a product in the order in which they were posted, with quantity and value after each, and the stock
 * before the first.
 * @throws AppError 400 for a malformed cursor; 404 for an unknown product
 */
export async function readStockLedger(caller: BusinessCaller, filter: StockLedgerFilter): Promise<StockLedgerPage> {
  const { organisationId, company } = caller;
  const { productId, limit } = filter;
  const key = { organisationId, productId };
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const sent = filter.cursor === undefined ? null : decodeCursor(filter.cursor);
  if ((await Product.exists({ organisationId, id: productId })) === null) throw notFoundError('product');
  return withMongoSnapshot(async (mongoSession) => {
    const balances = await StockBalance.find(key).setOptions(readOptions(mongoSession)).lean<StockBalanceRecord[]>();
    const ledger: ProductLedger = { key, balances, mongoSession };
    const start = sent === null ? await findStart(ledger, filter, baseDecimals) : await completePosition(ledger, sent);
    const records = await readMovements(ledger, filter, start);
    const quantities = await readQuantitiesOfRows(ledger, start, records);
    const names = await readStockNames(organisationId, []);
    const sources = await readMovementSources(organisationId, records);
    const rows = records.map((record, index): StockLedgerRow => {
      const after = quantities[index] ?? new Map<number, Decimal>();
      const product = toProductStock(record);
      const { warehouseId, sequence, postedAt, kind } = record;
      return {
        sequence,
        postedAt,
        kind,
        warehouseId,
        warehouseCode: names.warehouses.get(warehouseId)?.code ?? '',
        warehouseName: names.warehouses.get(warehouseId)?.name ?? '',
        quantity: fromDecimal128(record.quantity),
        value: fromDecimal128(record.value),
        quantityAfter: product.quantity,
        valueAfter: product.value,
        warehouseQuantityAfter: after.get(warehouseId) ?? ZERO,
        warehouseValueAfter: divideStockValue(product, after, baseDecimals).get(warehouseId) ?? ZERO,
        source: sources(record),
      };
    });
    const last = rows.length < limit ? undefined : rows.at(-1);
    const { opening } = start;
    const nextCursor =
      last === undefined
        ? null
        : encodeCursor({ sequence: last.sequence, quantities: quantities.at(-1) ?? new Map(), opening });
    return { rows, opening, nextCursor };
  });
}
