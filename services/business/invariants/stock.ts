import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';
import type { StockBalanceRecord, StockLedgerRecord, StockValueRecord } from '../../../models/business/stock/stock';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';

/** Number of products checked in one snapshot. */
const PAGE_SIZE = 100;

/** Totals of the movements of one product. */
interface MovementTotals {
  rows: number;
  quantity: Decimal;
  value: Decimal;
  warehouses: Map<number, Decimal>;
}

const createEmptyTotals = (): MovementTotals => ({ rows: 0, quantity: ZERO, value: ZERO, warehouses: new Map() });

/** Adds the next movement of a product to the totals and compares them with the totals stored in the movement. */
function applyMovement(moved: MovementTotals, row: StockLedgerRecord, report: InvariantReport): void {
  const ledger = report.getFindings('stock_ledger');
  const subject = `product:${row.productId}/movement:${row.sequence}`;
  moved.rows += 1;
  moved.quantity = moved.quantity.plus(fromDecimal128(row.quantity));
  moved.value = moved.value.plus(fromDecimal128(row.value));
  moved.warehouses.set(
    row.warehouseId,
    (moved.warehouses.get(row.warehouseId) ?? ZERO).plus(fromDecimal128(row.quantity)),
  );
  ledger.expectEqual(subject, 'sequence', moved.rows, row.sequence);
  ledger.expectEqual(subject, 'quantityAfter', moved.quantity, fromDecimal128(row.quantityAfter));
  ledger.expectEqual(subject, 'valueAfter', moved.value, fromDecimal128(row.valueAfter));
}

function compareValue(
  productId: number,
  moved: MovementTotals,
  record: StockValueRecord | undefined,
  report: InvariantReport,
) {
  const values = report.getFindings('stock_values');
  const subject = `product:${productId}`;
  values.expectEqual(subject, 'quantity', moved.quantity, record ? fromDecimal128(record.quantity) : ZERO);
  values.expectEqual(subject, 'value', moved.value, record ? fromDecimal128(record.value) : ZERO);
  values.expectEqual(subject, 'movements', moved.rows, record?.version ?? 0);
  const valueWithoutGoods = moved.quantity.isZero() && !moved.value.isZero();
  values.expectTrue(!valueWithoutGoods, subject, 'value without goods', 0, moved.value);
}

function compareBalances(
  productId: number,
  moved: MovementTotals,
  onHand: ReadonlyMap<number, Decimal>,
  report: InvariantReport,
) {
  const balances = report.getFindings('stock_balances');
  for (const warehouseId of new Set([...moved.warehouses.keys(), ...onHand.keys()])) {
    const subject = `product:${productId}/warehouse:${warehouseId}`;
    const held = onHand.get(warehouseId) ?? ZERO;
    balances.expectEqual(subject, 'onHand', moved.warehouses.get(warehouseId) ?? ZERO, held);
    balances.expectTrue(!held.isNegative(), subject, 'onHand', 'at least 0', held);
  }
}

async function checkStockPage(
  mongoSession: ClientSession,
  organisationId: string,
  after: number,
): Promise<CheckedPage> {
  const report = new InvariantReport();
  const values = await StockValue.find({ organisationId, productId: { $gt: after } })
    .sort({ productId: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<StockValueRecord[]>();
  const next = getNextPageStart(values, PAGE_SIZE, ({ productId }) => productId);
  // By range rather than by the ids found, so that rows without a value record are checked too.
  const range = { organisationId, productId: { $gt: after, ...(next === null ? {} : { $lte: next }) } };
  const balances = await StockBalance.find(range).session(mongoSession).lean<StockBalanceRecord[]>();
  const moved = new Map<number, MovementTotals>();
  const rows = StockLedger.find(range)
    .sort({ productId: 1, sequence: 1 })
    .session(mongoSession)
    .lean<StockLedgerRecord>();
  for await (const row of rows.cursor()) {
    const product = moved.get(row.productId) ?? createEmptyTotals();
    moved.set(row.productId, product);
    applyMovement(product, row, report);
  }
  const recordedProductIds = [values, balances].flatMap((records) => records.map(({ productId }) => productId));
  for (const productId of new Set([...moved.keys(), ...recordedProductIds])) {
    const product = moved.get(productId) ?? createEmptyTotals();
    const onHand = balances.flatMap((each): [number, Decimal][] =>
      each.productId === productId ? [[each.warehouseId, fromDecimal128(each.onHand)]] : [],
    );
    const value = values.find((each) => each.productId === productId);
    compareValue(productId, product, value, report);
    compareBalances(productId, product, new Map(onHand), report);
  }
  return { report, next };
}

/** Compares movements with balances and values, product by product. */
export async function checkStock(organisationId: string): Promise<InvariantReport> {
  return checkInPages((mongoSession, after) => checkStockPage(mongoSession, organisationId, after));
}
