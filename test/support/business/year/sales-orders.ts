import type { Lane, LaneSalesOrder } from './lane';
import type { ReplyData } from './faulty-client';
import { QUANTITY_PLACES, unitsToNumber } from './money';
import { buildLineBody, PAYMENT_TERM_DAYS, pickLine, recordInvoice, reserveLines } from './sales';

/** Creates an order, and usually confirms it. */
export async function orderGoods(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const currency = lane.pickCurrency();
  const customerId = chance.pick(lane.customerIds) ?? 0;
  const requested = new Map<string, bigint>();
  const lines = Array.from({ length: chance.between(1, 3) }, () => pickLine(lane, requested));
  const body = lines.map((line) => buildLineBody(lane, line));
  const json = { customerId, currencyCode: currency, orderDate: day, lines: body };
  const data = await lane.create('/api/sales-orders', json, 'sales order');
  const order: LaneSalesOrder = { id: Number(data['id']), customerId, currency, lines, status: 'draft' };
  lane.salesOrders.push(order);
  if (chance.nextBoolean(0.8)) await confirm(lane, order);
  return true;
}

/** Posts a change of an order, which must be accepted. */
async function changeOrder(lane: Lane, { id }: LaneSalesOrder, action: string, json?: ReplyData): Promise<ReplyData> {
  const path = `/api/sales-orders/${id}/${action}`;
  const reply = await lane.client.post(path, json);
  if (reply.status !== 200) throw new Error(lane.describeReply(path, json ?? {}, reply));
  return reply.body['data'] as ReplyData;
}

/** Whether every line of a draft is available, together with the others. */
function isAvailable(lane: Lane, { lines }: LaneSalesOrder): boolean {
  return lines.every(({ productId, warehouseId }) => {
    if (warehouseId === null) return true;
    const needed = lines
      .filter((each) => each.productId === productId && each.warehouseId === warehouseId)
      .reduce((total, { quantity }) => total + quantity, 0n);
    const shelf = lane.shelves.find((each) => each.productId === productId);
    return (shelf?.getAvailable(warehouseId) ?? 0n) >= needed;
  });
}

/** Confirms a draft, or expects that its goods are not available any more; nothing is reserved then. */
async function confirm(lane: Lane, order: LaneSalesOrder): Promise<void> {
  if (!isAvailable(lane, order)) {
    const path = `/api/sales-orders/${order.id}/confirm`;
    const { status, body } = await lane.client.post(path, undefined);
    if (body['code'] !== 'insufficient_stock') throw new Error(lane.describeReply(path, {}, { status, body }));
    lane.rejections += 1;
    return;
  }
  await changeOrder(lane, order, 'confirm');
  reserveLines(lane, order, 1n);
  order.status = 'confirmed';
  lane.countDocument('confirmed order');
}

async function cancel(lane: Lane, order: LaneSalesOrder): Promise<void> {
  await changeOrder(lane, order, 'cancel', { reason: 'Not needed any more' });
  if (order.status === 'confirmed') reserveLines(lane, order, -1n);
  order.status = 'cancelled';
  lane.countDocument('cancelled order');
}

/** Issues the invoice of a confirmed order: its goods are released and leave at once. */
async function invoice(lane: Lane, order: LaneSalesOrder): Promise<void> {
  const { customerId, currency, lines } = order;
  const terms = lane.chance.pick(Object.keys(PAYMENT_TERM_DAYS)) ?? 'NET30';
  const changed = await changeOrder(lane, order, 'invoice', { issueDate: lane.day, paymentTerms: terms });
  reserveLines(lane, order, -1n);
  order.status = 'invoiced';
  lane.countDocument('invoice of an order');
  const { body } = await lane.client.get(`/api/invoices/${String(changed['invoiceId'])}`);
  const data = body['data'] as ReplyData;
  const quantities = (data['lines'] as ReplyData[]).map((line) => line['quantity']);
  const ordered = lines.map(({ quantity }) => unitsToNumber(quantity, QUANTITY_PLACES));
  if (String(quantities) !== String(ordered)) throw new Error(`order ${order.id} was invoiced with other quantities`);
  recordInvoice(lane, data, { customerId, currency, terms, requestedLines: lines, discountDays: null, order });
}

/** Goes on with an order: confirms a draft, or invoices or cancels what is confirmed. */
export async function continueOrder(lane: Lane): Promise<boolean> {
  const { chance, salesOrders } = lane;
  const order = chance.pick(salesOrders.filter(({ status }) => status === 'draft' || status === 'confirmed'));
  if (order === undefined) return false;
  if (chance.nextBoolean(0.15)) await cancel(lane, order);
  else if (order.status === 'draft') await confirm(lane, order);
  else await invoice(lane, order);
  return true;
}
