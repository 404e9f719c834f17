import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { computeReceivedStatus } from '../../../domain/business/purchasing/purchasing';
import { fromDecimal128 } from '../../../models/business/decimal128';
import { Payable, PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import type {
  PayableLine,
  PurchaseOrderLine,
  PurchaseOrderRecord,
} from '../../../models/business/purchasing/purchase-order';
import { checkInPages, getNextPageStart } from './pages';
import type { CheckedPage } from './pages';

/** Number of orders checked in one snapshot. */
const PAGE_SIZE = 500;

interface ReceiptSum {
  _id: { orderId: number; productId: number };
  quantity: PayableLine['quantity'];
}

function sumReceivedByProduct(lines: readonly PurchaseOrderLine[]): Map<number, Decimal> {
  const received = new Map<number, Decimal>();
  for (const line of lines)
    received.set(line.productId, (received.get(line.productId) ?? ZERO).plus(fromDecimal128(line.received)));
  return received;
}

/** The status that follows from the received quantities; null if none follows from them. */
function computeExpectedStatus({ lines, status }: PurchaseOrderRecord): string | null {
  if (status === 'cancelled') return null;
  const received = lines.map((line) => ({
    quantity: fromDecimal128(line.quantity),
    received: fromDecimal128(line.received),
  }));
  if (received.every((line) => line.received.isZero())) return status === 'draft' ? 'draft' : 'ordered';
  return computeReceivedStatus(received);
}

async function checkOrderPage(
  mongoSession: ClientSession,
  organisationId: string,
  after: number,
): Promise<CheckedPage> {
  const report = new InvariantReport();
  const orders = await PurchaseOrder.find({ organisationId, id: { $gt: after } })
    .sort({ id: 1 })
    .limit(PAGE_SIZE)
    .session(mongoSession)
    .lean<PurchaseOrderRecord[]>();
  const receiptSums = await Payable.aggregate<ReceiptSum>([
    { $match: { organisationId, type: 'receipt', orderId: { $in: orders.map(({ id }) => id) } } },
    { $unwind: '$lines' },
    {
      $group: {
        _id: { orderId: '$orderId', productId: '$lines.productId' },
        quantity: { $sum: '$lines.quantity' },
      },
    },
  ]).session(mongoSession);
  const findings = report.getFindings('order_receipts');
  for (const order of orders) {
    const receiptQuantities = new Map(
      receiptSums.flatMap(({ _id, quantity }): [number, Decimal][] =>
        _id.orderId === order.id ? [[_id.productId, fromDecimal128(quantity)]] : [],
      ),
    );
    const received = sumReceivedByProduct(order.lines);
    for (const productId of new Set([...received.keys(), ...receiptQuantities.keys()]))
      findings.expectEqual(
        `purchase-order:${order.id}/product:${productId}`,
        'received',
        receiptQuantities.get(productId) ?? ZERO,
        received.get(productId) ?? ZERO,
      );
    const status = computeExpectedStatus(order);
    if (status !== null) findings.expectEqual(`purchase-order:${order.id}`, 'status', status, order.status);
  }
  return { report, next: getNextPageStart(orders, PAGE_SIZE, ({ id }) => id) };
}

/** Compares the received quantities of orders with their receipts. */
export async function checkOrders(organisationId: string): Promise<InvariantReport> {
  return checkInPages((mongoSession, after) => checkOrderPage(mongoSession, organisationId, after));
}
