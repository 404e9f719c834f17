import type { ClientSession } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { InvariantReport } from '../../../domain/business/invariants/invariants';
import { receivedStatus } from '../../../domain/business/purchasing/purchasing';
import { inTransaction } from '../../../lib/mongo';
import { fromStored } from '../../../models/business/decimal128';
import { Payable, PurchaseOrder } from '../../../models/business/purchasing/purchase-order';
import type {
  PayableLine,
  PurchaseOrderLine,
  PurchaseOrderRecord,
} from '../../../models/business/purchasing/purchase-order';

/** Orders looked at in one snapshot. */
const PAGE = 500;

interface Arrived {
  _id: { orderId: number; productId: number };
  quantity: PayableLine['quantity'];
}

function byProduct(lines: readonly PurchaseOrderLine[]): Map<number, Decimal> {
  const received = new Map<number, Decimal>();
  for (const line of lines)
    received.set(line.productId, (received.get(line.productId) ?? ZERO).plus(fromStored(line.received)));
  return received;
}

/** The status that what was received asks for; null where it says nothing. */
function statusOf({ lines, status }: PurchaseOrderRecord): string | null {
  if (status === 'cancelled') return null;
  const received = lines.map((line) => ({ quantity: fromStored(line.quantity), received: fromStored(line.received) }));
  if (received.every((line) => line.received.isZero())) return status === 'draft' ? 'draft' : 'ordered';
  return receivedStatus(received);
}

async function lookAtPage(session: ClientSession, organisationId: string, after: number) {
  const report = new InvariantReport();
  const orders = await PurchaseOrder.find({ organisationId, id: { $gt: after } })
    .sort({ id: 1 })
    .limit(PAGE)
    .session(session)
    .lean<PurchaseOrderRecord[]>();
  const arrived = await Payable.aggregate<Arrived>([
    { $match: { organisationId, type: 'receipt', orderId: { $in: orders.map(({ id }) => id) } } },
    { $unwind: '$lines' },
    {
      $group: {
        _id: { orderId: '$orderId', productId: '$lines.productId' },
        quantity: { $sum: '$lines.quantity' },
      },
    },
  ]).session(session);
  const findings = report.of('order_receipts');
  for (const order of orders) {
    const came = new Map(
      arrived.flatMap(({ _id, quantity }): [number, Decimal][] =>
        _id.orderId === order.id ? [[_id.productId, fromStored(quantity)]] : [],
      ),
    );
    const received = byProduct(order.lines);
    for (const productId of new Set([...received.keys(), ...came.keys()]))
      findings.same(
        `purchase-order:${order.id}/product:${productId}`,
        'received',
        came.get(productId) ?? ZERO,
        received.get(productId) ?? ZERO,
      );
    const status = statusOf(order);
    if (status !== null) findings.same(`purchase-order:${order.id}`, 'status', status, order.status);
  }
  return { report, next: orders.length < PAGE ? null : (orders.at(-1)?.id ?? null) };
}

/** What orders say was received against their receipts. */
export async function lookAtOrders(organisationId: string): Promise<InvariantReport> {
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
