import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { SalesOrder } from '../../../models/business/orders/sales-order';
import type { SalesOrderLine } from '../../../models/business/orders/sales-order';
import { StockBalance } from '../../../models/business/stock/stock';
import type { StockBalanceRecord } from '../../../models/business/stock/stock';
import { checkInPages } from './pages';
import type { CheckedPage } from './pages';

/** Number of balances checked in one snapshot. */
const PAGE_SIZE = 1000;

interface ReservedSum {
  _id: { productId: number; warehouseId: number };
  quantity: SalesOrderLine['quantity'];
}

/** What confirmed orders reserve of some products, by product and warehouse. */
async function sumOrders(
  mongoSession: ClientSession,
  organisationId: string,
  productId: object,
): Promise<Map<string, Decimal>> {
  const sums = await SalesOrder.aggregate<ReservedSum>([
    { $match: { organisationId, status: 'confirmed' } },
    { $unwind: '$lines' },
    { $match: { 'lines.productId': productId, 'lines.warehouseId': { $ne: null } } },
    {
      $group: {
        _id: { productId: '$lines.productId', warehouseId: '$lines.warehouseId' },
        quantity: { $sum: '$lines.quantity' },
      },
    },
  ]).session(mongoSession);
  return new Map(sums.map(({ _id, quantity }) => [`${_id.productId}/${_id.warehouseId}`, fromDecimal128(quantity)]));
}

async function checkPage(mongoSession: ClientSession, organisationId: string, after: number): Promise<CheckedPage> {
  const report = new InvariantReport();
  const findings = report.getFindings('stock_reservations');
  const [first] = await StockBalance.find({ organisationId, productId: { $gt: after } })
    .sort({ productId: 1 })
    .skip(PAGE_SIZE)
    .limit(1)
    .session(mongoSession)
    .lean<StockBalanceRecord[]>();
  // The warehouses of one product are in one page.
  const next = first === undefined ? null : first.productId;
  const productId = { $gt: after, ...(next === null ? {} : { $lte: next }) };
  const balances = await StockBalance.find({ organisationId, productId })
    .session(mongoSession)
    .lean<StockBalanceRecord[]>();
  const ordered = await sumOrders(mongoSession, organisationId, productId);
  const held = new Map(balances.map((balance) => [`${balance.productId}/${balance.warehouseId}`, balance]));
  for (const key of new Set([...held.keys(), ...ordered.keys()])) {
    const balance = held.get(key);
    const reserved = balance?.reserved === undefined ? ZERO : fromDecimal128(balance.reserved);
    const subject = `product:${key.replace('/', '/warehouse:')}`;
    findings.expectEqual(subject, 'reserved', ordered.get(key) ?? ZERO, reserved);
    const onHand = balance === undefined ? ZERO : fromDecimal128(balance.onHand);
    findings.expectTrue(reserved.lte(onHand), subject, 'reserved', `at most ${onHand.toFixed()}`, reserved);
  }
  return { report, next };
}

/** Compares reserved quantities with confirmed orders and with the quantities on hand. */
export const checkReservations = (organisationId: string): Promise<InvariantReport> =>
  checkInPages((mongoSession, after) => checkPage(mongoSession, organisationId, after));
