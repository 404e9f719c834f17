import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { inTransaction } from '../../../lib/mongo';
import { fromStored } from '../../../models/business/decimal128';
import { StockBalance, StockLedger, StockValue } from '../../../models/business/stock/stock';
import type { StockBalanceRecord, StockLedgerRecord, StockValueRecord } from '../../../models/business/stock/stock';

/** Products looked at in one snapshot. */
const PAGE = 100;

/** What the movements of one product come to. */
interface Moved {
  rows: number;
  quantity: Decimal;
  value: Decimal;
  warehouses: Map<number, Decimal>;
}

const nothingMoved = (): Moved => ({ rows: 0, quantity: ZERO, value: ZERO, warehouses: new Map() });

/** Takes the next movement of a product and compares it with what it says stood after it. */
function follow(moved: Moved, row: StockLedgerRecord, report: InvariantReport): void {
  const ledger = report.of('stock_ledger');
  const subject = `product:${row.productId}/movement:${row.sequence}`;
  moved.rows += 1;
  moved.quantity = moved.quantity.plus(fromStored(row.quantity));
  moved.value = moved.value.plus(fromStored(row.value));
  moved.warehouses.set(row.warehouseId, (moved.warehouses.get(row.warehouseId) ?? ZERO).plus(fromStored(row.quantity)));
  ledger.same(subject, 'sequence', moved.rows, row.sequence);
  ledger.same(subject, 'quantityAfter', moved.quantity, fromStored(row.quantityAfter));
  ledger.same(subject, 'valueAfter', moved.value, fromStored(row.valueAfter));
}

function compareValue(productId: number, moved: Moved, record: StockValueRecord | undefined, report: InvariantReport) {
  const values = report.of('stock_values');
  const subject = `product:${productId}`;
  values.same(subject, 'quantity', moved.quantity, record ? fromStored(record.quantity) : ZERO);
  values.same(subject, 'value', moved.value, record ? fromStored(record.value) : ZERO);
  values.same(subject, 'movements', moved.rows, record?.version ?? 0);
  const valueWithoutGoods = moved.quantity.isZero() && !moved.value.isZero();
  values.holds(!valueWithoutGoods, subject, 'value without goods', 0, moved.value);
}

function compareBalances(
  productId: number,
  moved: Moved,
  onHand: ReadonlyMap<number, Decimal>,
  report: InvariantReport,
) {
  const balances = report.of('stock_balances');
  for (const warehouseId of new Set([...moved.warehouses.keys(), ...onHand.keys()])) {
    const subject = `product:${productId}/warehouse:${warehouseId}`;
    const held = onHand.get(warehouseId) ?? ZERO;
    balances.same(subject, 'onHand', moved.warehouses.get(warehouseId) ?? ZERO, held);
    balances.holds(!held.isNegative(), subject, 'onHand', 'at least 0', held);
  }
}

/** One page of products in one snapshot; `next` is null after the last. */
async function lookAtPage(session: ClientSession, organisationId: string, after: number) {
  const report = new InvariantReport();
  const values = await StockValue.find({ organisationId, productId: { $gt: after } })
    .sort({ productId: 1 })
    .limit(PAGE)
    .session(session)
    .lean<StockValueRecord[]>();
  const next = values.length < PAGE ? null : (values.at(-1)?.productId ?? null);
  // By range, not by the ids found, so that rows without a value record are seen too.
  const range = { organisationId, productId: { $gt: after, ...(next === null ? {} : { $lte: next }) } };
  const balances = await StockBalance.find(range).session(session).lean<StockBalanceRecord[]>();
  const moved = new Map<number, Moved>();
  const rows = StockLedger.find(range).sort({ productId: 1, sequence: 1 }).session(session).lean<StockLedgerRecord>();
  for await (const row of rows.cursor()) {
    const product = moved.get(row.productId) ?? nothingMoved();
    moved.set(row.productId, product);
    follow(product, row, report);
  }
  const known = [values, balances].flatMap((records) => records.map(({ productId }) => productId));
  for (const productId of new Set([...moved.keys(), ...known])) {
    const product = moved.get(productId) ?? nothingMoved();
    const onHand = balances.flatMap((each): [number, Decimal][] =>
      each.productId === productId ? [[each.warehouseId, fromStored(each.onHand)]] : [],
    );
    const value = values.find((each) => each.productId === productId);
    compareValue(productId, product, value, report);
    compareBalances(productId, product, new Map(onHand), report);
  }
  return { report, next };
}

/** Movements against balances and values, product by product. */
export async function lookAtStock(organisationId: string): Promise<InvariantReport> {
  const report = new InvariantReport();
  let after: number | null = Number.MIN_SAFE_INTEGER;
  while (after !== null) {
    const from: number = after;
    const page = await inTransaction((session) => lookAtPage(session, organisationId, from));
    report.add(page.report);
    after = page.next;
  }
  return report;
}
