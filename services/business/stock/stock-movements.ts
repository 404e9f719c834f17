import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import {
  computeStockIssue,
  ZERO_STOCK,
  computeStockReceipt,
  computeStockReceiptAtValue,
  findStockLimitProblem,
} from '../../../domain/business/stock/stock-valuation';
import type { StockValue as ProductStock, ValuedMovement } from '../../../domain/business/stock/stock-valuation';
import { invalidFieldError } from '../../../domain/errors';
import { transientTransactionError } from '../../../lib/mongo';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { StockLedger, StockValue } from '../../../models/business/stock/stock';
import type { StockMovementKind, StockValueRecord } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { emitLowStockEvents, findMovedProducts } from './low-stock';
import type { ReorderedProduct } from './low-stock';
import { addToBalances, takeFromBalances } from './stock-balances';
import type { StockLine } from './stock-balances';

export interface Posting {
  organisationId: string;
  kind: StockMovementKind;
  invoiceId: number | null;
  /** Id of the adjustment, transfer or receipt, depending on the kind; that of an invoice is in `invoiceId`. */
  sourceId?: number;
  /** Number of decimals of the base currency. */
  baseDecimals: number;
  at: Date;
}

type MovementCalculation = (stock: ProductStock, line: StockLine, posting: Posting) => ValuedMovement;

/** A line and its posting. */
interface PostedLine {
  posting: Posting;
  line: StockLine;
}

/** Values the movements of one product in order: its new value and its ledger rows. */
function valueMovements(
  productId: number,
  record: StockValueRecord | undefined,
  posted: readonly PostedLine[],
  apply: MovementCalculation,
) {
  let stock: ProductStock = record
    ? { quantity: fromDecimal128(record.quantity), value: fromDecimal128(record.value) }
    : ZERO_STOCK;
  let sequence = record?.version ?? 0;
  const rows = posted.map(({ posting, line }) => {
    const movement = apply(stock, line, posting);
    stock = movement.after;
    const problem = findStockLimitProblem(stock);
    if (problem !== null) throw invalidFieldError(line.field, problem);
    sequence += 1;
    return {
      organisationId: posting.organisationId,
      productId,
      warehouseId: line.warehouseId,
      sequence,
      kind: posting.kind,
      quantity: toDecimal128(movement.quantity),
      value: toDecimal128(movement.value),
      quantityAfter: toDecimal128(stock.quantity),
      valueAfter: toDecimal128(stock.value),
      invoiceId: posting.invoiceId,
      sourceId: posting.sourceId ?? null,
      lineId: posting.invoiceId === null && posting.sourceId === undefined ? null : line.lineId,
      postedAt: posting.at,
    };
  });
  const update = { quantity: toDecimal128(stock.quantity), value: toDecimal128(stock.value), version: sequence };
  return { rows, update };
}

/** Transactions that have written stock values, which only their own reads see. */
const unitsWithMovements = new WeakSet<UnitOfWork>();

/**
 * Reads the stock values of products while the balances change. The first read of a transaction is outside of it, since
 * the statements of a transaction cannot run in parallel: an update requires the version that was read, so that none is
 * based on an outdated value. Products without a value are read again in the transaction, which may create one only if there is none.
 */
async function readStockValues(
  unit: UnitOfWork,
  organisationId: string,
  ids: readonly number[],
  changing: Promise<void>,
): Promise<StockValueRecord[]> {
  const find = (productIds: readonly number[], mongoSession: ClientSession | null) =>
    StockValue.find({ organisationId, productId: { $in: [...productIds] } })
      .session(mongoSession)
      .lean<StockValueRecord[]>();
  const isFirst = !unitsWithMovements.has(unit);
  unitsWithMovements.add(unit);
  const [found] = await Promise.all([isFirst ? find(ids, null) : [], changing]);
  const known = new Set(found.map(({ productId }) => productId));
  const unknown = ids.filter((id) => !known.has(id));
  return unknown.length === 0 ? found : [...found, ...(await find(unknown, unit.mongoSession))];
}

/**
 * Writes the value and ledger rows of every moved product, and emits the events of low stock.
 * @param changing the change of the balances in the same transaction, which ends before anything else is written
 * @param known products that the request has read already
 */
async function postMovements(
  unit: UnitOfWork,
  organisationId: string,
  posted: readonly PostedLine[],
  changing: Promise<void>,
  apply: MovementCalculation,
  known: readonly ReorderedProduct[] = [],
): Promise<void> {
  const ids = listProductIds(posted);
  const records = await readStockValues(unit, organisationId, ids, changing);
  const moved = ids.map((productId) => {
    const record = records.find((each) => each.productId === productId);
    const own = posted.filter(({ line }) => line.productId === productId);
    return { productId, version: record?.version ?? 0, ...valueMovements(productId, record, own, apply) };
  });
  const { matchedCount, upsertedCount } = await StockValue.bulkWrite(
    moved.map(({ productId, version, update }) => ({
      updateOne: {
        filter: { organisationId, productId, version },
        update: { $set: update },
        upsert: version === 0,
      },
    })),
    { session: unit.mongoSession },
  );
  if (matchedCount + upsertedCount < moved.length)
    throw transientTransactionError('A stock value changed before the transaction wrote it.');
  const rows = moved.flatMap((each) => each.rows);
  const [products] = await Promise.all([
    findMovedProducts(organisationId, rows, known),
    StockLedger.insertMany(rows, { session: unit.mongoSession, lean: true }),
  ]);
  await emitLowStockEvents(unit, organisationId, rows, products);
}

const listProductIds = (posted: readonly PostedLine[]): number[] =>
  [...new Set(posted.map(({ line }) => line.productId))].sort((a, b) => a - b);

const toPostedLines = (posting: Posting, lines: readonly StockLine[]): PostedLine[] =>
  lines.map((line) => ({ posting, line }));

/** Goods that are issued for one document. */
export interface StockIssue {
  posting: Posting;
  lines: readonly StockLine[];
  /** Products of the lines that the request has read already. @default none */
  products?: readonly ReorderedProduct[];
}

/**
 * Issues the goods of several documents of one organisation, in order: reduces the balances under their guard and
 * writes values and ledger rows at moving average cost.
 * @throws AppError 409 `insufficient_stock` with products and available quantities
 */
export async function issueStocks(
  unit: UnitOfWork,
  organisationId: string,
  issues: readonly StockIssue[],
): Promise<void> {
  const posted = issues.flatMap(({ posting, lines }) => toPostedLines(posting, lines));
  if (posted.length === 0) return;
  const lines = posted.map(({ line }) => line);
  await postMovements(
    unit,
    organisationId,
    posted,
    takeFromBalances(unit, organisationId, lines),
    (stock, line, { baseDecimals }) => computeStockIssue(stock, line.quantity, baseDecimals),
    issues.flatMap(({ products = [] }) => products),
  );
}

/** {@link issueStocks} for one document. */
export const issueStock = (unit: UnitOfWork, posting: Posting, lines: readonly StockLine[]): Promise<void> =>
  issueStocks(unit, posting.organisationId, [{ posting, lines }]);

/** Receives goods at a unit cost in base currency. */
export async function receiveStock(
  unit: UnitOfWork,
  posting: Posting,
  line: StockLine,
  unitCost: Decimal,
): Promise<void> {
  const { organisationId } = posting;
  const adding = addToBalances(unit, organisationId, [line]);
  await postMovements(unit, organisationId, [{ posting, line }], adding, (stock) =>
    computeStockReceipt(stock, line.quantity, unitCost, posting.baseDecimals),
  );
}

/**
 * Moves goods to another warehouse under the guard that the quantity on hand is sufficient. Each line has two ledger
 * rows without value.
 * @throws AppError 409 `insufficient_stock` with products and available quantities
 */
export async function transferStock(
  unit: UnitOfWork,
  posting: Posting,
  lines: readonly StockLine[],
  toWarehouseId: number,
): Promise<void> {
  const { organisationId } = posting;
  const arriving = lines.map((line) => ({ ...line, warehouseId: toWarehouseId }));
  const moveBetweenBalances = async (): Promise<void> => {
    await takeFromBalances(unit, organisationId, lines);
    await addToBalances(unit, organisationId, arriving);
  };
  const leaving = new Set<StockLine>(lines);
  const both = lines.flatMap((line, index) => [line, ...arriving.slice(index, index + 1)]);
  await postMovements(unit, organisationId, toPostedLines(posting, both), moveBetweenBalances(), (stock, line) => {
    const quantity = leaving.has(line) ? line.quantity.neg() : line.quantity;
    return { quantity, value: ZERO, after: { quantity: stock.quantity.plus(quantity), value: stock.value } };
  });
}

/** Goods that are returned at the value at which they were issued, in base currency. */
export interface ReturnedLine extends StockLine {
  value: Decimal;
}

/** Returns goods to the warehouse from which they were issued, at the cost at which they were issued. */
export async function returnStock(unit: UnitOfWork, posting: Posting, lines: readonly ReturnedLine[]): Promise<void> {
  if (lines.length === 0) return;
  const { organisationId } = posting;
  const adding = addToBalances(unit, organisationId, lines);
  const values = new Map(lines.map((line) => [line.lineId, line.value]));
  await postMovements(unit, organisationId, toPostedLines(posting, lines), adding, (stock, line) =>
    computeStockReceiptAtValue(stock, line.quantity, values.get(line.lineId) ?? ZERO),
  );
}

/** Quantity and value of a product in all warehouses, and the number of its movements. */
export type HeldStock = ProductStock & { version: number };

/** Quantity and value of products in all warehouses; products without movements are absent. */
export async function readStock(
  organisationId: string,
  ids: readonly number[],
  unit?: UnitOfWork,
): Promise<Map<number, HeldStock>> {
  const records = await StockValue.find({ organisationId, productId: { $in: [...ids] } })
    .session(unit?.mongoSession ?? null)
    .lean<StockValueRecord[]>();
  return new Map(
    records.map((record) => [
      record.productId,
      { quantity: fromDecimal128(record.quantity), value: fromDecimal128(record.value), version: record.version },
    ]),
  );
}
