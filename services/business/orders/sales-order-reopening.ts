import { SalesOrder } from '../../../models/business/orders/sales-order';
import type { SalesOrderRecord } from '../../../models/business/orders/sales-order';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { replaceRecord } from '../records/records';
import { reserveStock } from '../stock/stock-reservations';
import { listReservedLines, SALES_ORDER_KIND } from './sales-orders';

/**
 * Reopens the order of an invoice that is voided, after its goods have returned: the order is confirmed again and
 * reserves them, so that nothing else can take them in between. The goods that returned always suffice.
 */
export async function reopenInvoicedOrder(
  unit: UnitOfWork,
  caller: BusinessCaller,
  invoiceId: number,
  at: Date,
): Promise<void> {
  const { organisationId } = caller;
  const order = await SalesOrder.findOne({ organisationId, invoiceId })
    .session(unit.mongoSession)
    .lean<SalesOrderRecord | null>();
  if (order === null) return;
  await reserveStock(unit, organisationId, listReservedLines(order));
  const changed = { ...order, status: 'confirmed', invoiceId: null, invoiceNumber: null, updatedAt: at } as const;
  const entry = { fields: ['status', 'invoiceId'], action: 'sales_order.reopened' };
  await replaceRecord(unit, caller, SALES_ORDER_KIND, changed, entry);
}
