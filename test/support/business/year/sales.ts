import { maxDate } from './lane';
import type { Lane, LaneInvoice, LaneSalesOrder, RequestedLine, Settlement } from './lane';
import type { ReplyData } from './faulty-client';
import { getReplyCode } from './faulty-client';
import { BASE_CURRENCY, DECIMALS, divideRounded, unitsToNumber, QUANTITY_PLACES, toBase, toUnits } from './money';
import type { Currency } from './money';
import type { ShippedLine } from './shelf';
import { DAY_MS } from '../../../../domain/durations';

export const PAYMENT_TERM_DAYS: Readonly<Record<string, number>> = { CASH: 0, NET15: 15, NET30: 30, NET60: 60 };

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);

/** A product that can be sold now: goods in stock, else a service. */
export function pickLine(lane: Lane, reserved: Map<string, bigint>): RequestedLine {
  const { chance } = lane;
  const shelf = chance.pick(lane.shelves);
  const quantity = BigInt(chance.between(1, 8)) * (chance.nextBoolean(0.2) ? 500_000n : 1_000_000n);
  const held = (warehouseId: number): bigint =>
    (shelf?.getAvailable(warehouseId) ?? 0n) - (reserved.get(`${shelf?.productId}/${warehouseId}`) ?? 0n);
  const warehouseId = shelf?.listWarehousesWith(quantity).find((id) => held(id) >= quantity);
  if (shelf === undefined || warehouseId === undefined || chance.nextBoolean(0.25))
    return { productId: chance.pick(lane.serviceIds) ?? 0, quantity, warehouseId: null };
  const key = `${shelf.productId}/${warehouseId}`;
  reserved.set(key, (reserved.get(key) ?? 0n) + quantity);
  return { productId: shelf.productId, quantity, warehouseId };
}

/** A line of an invoice or order with a random price, tax and discount. */
export function buildLineBody(lane: Lane, { productId, quantity, warehouseId }: RequestedLine): ReplyData {
  const { chance, market } = lane;
  return {
    productId,
    quantity: unitsToNumber(quantity, QUANTITY_PLACES),
    unitPrice: chance.between(1, 40_000) / (chance.nextBoolean(0.1) ? 10_000 : 100),
    taxRateId: chance.pick(market.taxRateIds),
    priceIncludesTax: chance.nextBoolean(0.4),
    ...(chance.nextBoolean(0.2) ? { discountPercent: chance.between(1, 400) / 10 } : {}),
    ...(warehouseId === null ? {} : { warehouseId }),
  };
}

const sumField = (rows: unknown, field: string, currency: Currency): bigint =>
  (rows as ReplyData[]).reduce((total, row) => total + toUnits(Number(row[field]), DECIMALS[currency]), 0n);

/** Charges less discounts of the document. */
function sumAdjustments(data: ReplyData, field: 'net' | 'tax', currency: Currency): bigint {
  const rows = (data['adjustments'] ?? []) as ReplyData[];
  const ofType = (type: string) => rows.filter((row) => row['type'] === type);
  return sumField(ofType('charge'), field, currency) - sumField(ofType('discount'), field, currency);
}

/** Discounts and charges of the document, as a percentage and as an amount. */
function buildAdjustments({ chance, market }: Lane): ReplyData {
  const adjustments = [
    ...(chance.nextBoolean(0.15)
      ? [{ type: 'discount', percent: chance.between(1, 150) / 10, reason: 'Loyalty' }]
      : []),
    ...(chance.nextBoolean(0.15)
      ? [
          {
            type: 'charge',
            amount: chance.between(1, 40),
            reason: 'Freight',
            taxRateId: chance.pick(market.taxRateIds),
          },
        ]
      : []),
  ];
  return adjustments.length === 0 ? {} : { adjustments };
}

/** The day or period of the supply, or nothing. */
function buildSupplyDates({ chance, day }: Lane): ReplyData {
  const style = chance.next();
  if (style < 0.2) return { deliveryDate: addDays(day, -chance.between(0, 10)) };
  return style < 0.4 ? { deliveryPeriod: { start: addDays(day, -30), end: day } } : {};
}

/** The terms of the discount, compared with the response. */
function expectDiscount(lane: Lane, data: ReplyData, grand: bigint, currency: Currency, until: string) {
  const amount = divideRounded(grand * 25n, 1000n);
  const stated = data['earlyPaymentDiscount'] as ReplyData;
  if (stated['until'] !== until) throw new Error(`discount until ${String(stated['until'])}, not ${until}`);
  lane.expectAmount('discount for early payment', amount, stated['amount'], currency);
  return { amount, until };
}

/** Verifies that totals are sums of their parts and that base totals follow from the rate of the day. */
export function expectTotals(lane: Lane, data: ReplyData, currency: Currency): { grand: bigint; base: bigint } {
  const [total, tax] = ['total', 'taxTotal'].map((field) => toUnits(Number(data[field]), DECIMALS[currency]));
  if (total === undefined || tax === undefined) throw new Error('The response has no totals.');
  const adjusted = (field: 'net' | 'tax') =>
    sumField(data['lines'], field, currency) + sumAdjustments(data, field, currency);
  lane.expectAmount('lines and adjustments', adjusted('net'), data['total'], currency);
  lane.expectAmount('their taxes', adjusted('tax'), data['taxTotal'], currency);
  lane.expectAmount('sum of the tax table', sumField(data['taxes'], 'tax', currency), data['taxTotal'], currency);
  lane.expectAmount('total and tax', total + tax, data['grandTotal'], currency);
  const base = data['base'] as ReplyData;
  return { grand: total + tax, base: toUnits(Number(base['grandTotal']), DECIMALS[BASE_CURRENCY]) };
}

/** Issues an invoice of random lines, some by a draft, and compares it with the test's own computation. */
export async function postInvoice(lane: Lane): Promise<void> {
  const { chance, day } = lane;
  const currency = lane.pickCurrency();
  const customerId = chance.pick(lane.customerIds) ?? 0;
  const terms = chance.pick(Object.keys(PAYMENT_TERM_DAYS)) ?? 'NET30';
  const reserved = new Map<string, bigint>();
  const requestedLines = Array.from({ length: chance.between(1, 4) }, () => pickLine(lane, reserved));
  const discountDays = chance.nextBoolean(0.3) ? chance.between(0, 20) : null;
  const json = {
    customerId,
    currencyCode: currency,
    paymentTerms: terms,
    ...(discountDays === null ? {} : { earlyPaymentDiscount: { percent: 2.5, days: discountDays } }),
    ...buildSupplyDates(lane),
    ...buildAdjustments(lane),
    issueDate: day,
    seriesId: chance.pick(lane.market.seriesIds),
    lines: requestedLines.map((line) => buildLineBody(lane, line)),
  };
  const data = chance.nextBoolean(0.15)
    ? await issueFromDraft(lane, json)
    : await lane.create('/api/invoices', json, 'invoice');
  recordInvoice(lane, data, { customerId, currency, terms, requestedLines, discountDays, order: null });
}

/** An issued invoice as it was requested. */
interface IssuedInvoice {
  customerId: number;
  currency: Currency;
  terms: string;
  requestedLines: readonly RequestedLine[];
  /** Null without a discount for early payment. */
  discountDays: number | null;
  /** Null without a sales order. */
  order: LaneSalesOrder | null;
}

/** Compares an issued invoice with what the test computes, and posts it to the test's own books. */
export function recordInvoice(
  lane: Lane,
  data: ReplyData,
  { customerId, currency, terms, requestedLines, discountDays, order }: IssuedInvoice,
): void {
  const { day } = lane;
  const { grand, base } = expectTotals(lane, data, currency);
  lane.expectRate('rate of the day', lane.getRate(currency), data['exchangeRate']);
  const [total, tax] = ['total', 'taxTotal'].map((field) => toUnits(Number(data[field]), DECIMALS[currency]));
  const rate = lane.getRate(currency);
  lane.expectAmount(
    'base total',
    toBase(total ?? 0n, currency, rate) + toBase(tax ?? 0n, currency, rate),
    unitsToNumber(base, 2),
  );
  const dueDate = addDays(day, PAYMENT_TERM_DAYS[terms] ?? 0);
  if (data['dueDate'] !== dueDate) throw new Error(`due ${String(data['dueDate'])}, not ${dueDate}`);
  const id = Number(data['id']);
  const item = lane.ledger.post({
    side: 'receivable',
    kind: 'invoice',
    id,
    partyId: customerId,
    currency,
    date: day,
    dueDate,
    original: grand,
    originalBase: base,
  });
  const left = requestedLines.flatMap((line, index): ShippedLine[] => shipLine(lane, line, index + 1));
  const uncredited = new Map(requestedLines.map(({ quantity }, index) => [index + 1, quantity]));
  const discount =
    discountDays === null ? null : expectDiscount(lane, data, grand, currency, addDays(day, discountDays));
  lane.invoices.push({
    id,
    item,
    issueDate: day,
    left,
    uncredited,
    hasCreditNote: false,
    discount,
    deposit: null,
    order,
    void: false,
  });
}

/** Creates and issues a draft, and sometimes another one that is deleted. */
async function issueFromDraft(lane: Lane, json: ReplyData): Promise<ReplyData> {
  const draft = await lane.create('/api/invoices', { ...json, draft: true }, 'draft');
  if (lane.chance.nextBoolean(0.3)) {
    const other = await lane.create('/api/invoices', { ...json, draft: true }, 'draft');
    const { status } = await lane.client.send('DELETE', `/api/invoices/${String(other['id'])}`);
    // A retry after a lost response finds it deleted.
    if (status !== 200 && status !== 404) throw new Error(`a draft was not deleted: ${status}`);
  }
  const path = `/api/invoices/${String(draft['id'])}`;
  const reply = await lane.client.post(`${path}/issue`, undefined);
  if (reply.status !== 200) throw new Error(lane.describeReply(`${path}/issue`, json, reply));
  lane.countDocument('invoice');
  return (await lane.client.get(path)).body['data'] as ReplyData;
}

function shipLine(lane: Lane, { productId, quantity, warehouseId }: RequestedLine, lineId: number): ShippedLine[] {
  const shelf = lane.shelves.find((each) => each.productId === productId);
  if (shelf === undefined || warehouseId === null) return [];
  const value = shelf.issue(warehouseId, quantity);
  return [{ lineId, productId, warehouseId, quantity, value, backQuantity: 0n, backValue: 0n }];
}

/** Whether the books are locked on a day. */
export const isLocked = (lane: Lane, date: string): boolean =>
  lane.market.lockedThrough !== null && date <= lane.market.lockedThrough;

const listSettlements = (lane: Lane, sold: LaneInvoice): Settlement[] =>
  lane.settlements.filter(({ debit, reversed }) => debit === sold.item && !reversed);

function restockUnits(lane: Lane, sold: LaneInvoice, lineId: number, quantity: bigint): void {
  const left = sold.left.find((each) => each.lineId === lineId);
  const shelf = lane.shelves.find((each) => each.productId === left?.productId);
  if (left !== undefined) shelf?.restock(left, quantity);
}

/** Reserves the goods of an order for it; -1 releases them. */
export function reserveLines(lane: Lane, { lines }: LaneSalesOrder, sign: 1n | -1n): void {
  for (const { productId, warehouseId, quantity } of lines) {
    const shelf = lane.shelves.find((each) => each.productId === productId);
    if (warehouseId !== null) shelf?.reserve(warehouseId, sign * quantity);
  }
}

/** The order of a voided invoice is confirmed again and has its goods. */
async function expectReopened(lane: Lane, order: LaneSalesOrder): Promise<void> {
  order.status = 'confirmed';
  reserveLines(lane, order, 1n);
  const { status, invoiceId } = (await lane.client.get(`/api/sales-orders/${order.id}`)).body['data'] as ReplyData;
  if (status !== 'confirmed' || invoiceId !== null) throw new Error(`order ${order.id} was not reopened`);
}

const isWrittenOff = (lane: Lane, { item }: Pick<LaneInvoice, 'item'>): boolean =>
  lane.writeOffs.some((each) => each.item === item && !each.void);

/** Voids an invoice, or expects the error that prevents it. */
export async function voidInvoice(lane: Lane): Promise<boolean> {
  const sold = lane.chance.pick(lane.invoices.filter((each) => !each.void));
  if (sold === undefined) return false;
  const path = `/api/invoices/${sold.id}/void`;
  const json = { reason: 'Entered by mistake' };
  const isSettled = sold.hasCreditNote || isWrittenOff(lane, sold) || listSettlements(lane, sold).length > 0;
  if (isSettled || isLocked(lane, sold.issueDate)) {
    const reply = await lane.client.postUnlessDone(path, json, 'already_void');
    // The lock is checked first.
    const code = isLocked(lane, sold.issueDate) ? 'period_locked' : 'invoice_not_voidable';
    if (getReplyCode(reply) !== code) throw new Error(`not ${code}: ${lane.describeReply(path, json, reply)}`);
    lane.rejections += 1;
    return true;
  }
  const reply = await lane.client.postUnlessDone(path, json, 'already_void');
  if (reply.status !== 200) throw new Error(lane.describeReply(path, json, reply));
  const data = (await lane.client.get(`/api/invoices/${sold.id}`)).body['data'] as ReplyData;
  sold.void = true;
  const voidedOn = String(data['voidedOn']);
  if (sold.deposit !== null) lane.ledger.restore(sold.item, sold.deposit.amount, sold.deposit.amountBase, voidedOn);
  lane.ledger.settle(sold.item, sold.item.open, voidedOn);
  for (const { lineId, quantity } of sold.left) restockUnits(lane, sold, lineId, quantity);
  if (sold.order !== null) await expectReopened(lane, sold.order);
  lane.countDocument('void invoice');
  return true;
}

/** Credits some units of some lines, or all remaining ones. A part that was written off is not credited. */
export async function postCreditNote(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const sold = chance.pick(
    lane.invoices.filter(
      (each) => !each.void && !isWrittenOff(lane, each) && [...each.uncredited.values()].some((q) => q > 0n),
    ),
  );
  if (sold === undefined) return false;
  const open = [...sold.uncredited].filter(([, quantity]) => quantity > 0n);
  const whole = chance.nextBoolean(0.3);
  const parts = open
    .filter((_, index) => whole || index === 0 || chance.nextBoolean(0.5))
    .map(([lineId, quantity]) => ({ lineId, quantity: whole ? quantity : pickPartOfUnits(lane, quantity) }));
  const restock = chance.nextBoolean(0.6);
  const lines = parts.map(({ lineId, quantity }) => ({
    invoiceLineId: lineId,
    quantity: unitsToNumber(quantity, QUANTITY_PLACES),
  }));
  const json = { invoiceId: sold.id, reason: 'Returned', restock, issueDate: day, ...(whole ? {} : { lines }) };
  const data = await lane.create('/api/credit-notes', json, 'credit note');
  const { currency } = sold.item;
  const { grand, base } = expectTotals(lane, data, currency);
  sold.hasCreditNote = true;
  for (const { lineId, quantity } of parts) {
    sold.uncredited.set(lineId, (sold.uncredited.get(lineId) ?? 0n) - quantity);
    if (restock) restockUnits(lane, sold, lineId, quantity);
  }
  // The credit note first reduces the open amount of the invoice; the remainder stays a credit.
  const { partyId } = sold.item;
  const item = lane.ledger.post({
    side: 'receivable',
    kind: 'credit_note',
    id: Number(data['id']),
    partyId,
    currency,
    date: day,
    dueDate: day,
    original: grand,
    originalBase: base,
  });
  lane.ledger.credit(item, sold.item, maxDate(day, sold.item.date));
  return true;
}

const pickPartOfUnits = (lane: Lane, quantity: bigint): bigint => {
  const halves = quantity / 500_000n;
  return halves <= 1n ? quantity : 500_000n * BigInt(lane.chance.between(1, Number(halves)));
};

/** Sells more than the stock: rejected without any change. */
export async function oversell(lane: Lane): Promise<boolean> {
  const shelf = lane.chance.pick(lane.shelves);
  const warehouseId = lane.chance.pick(lane.market.warehouseIds);
  if (shelf === undefined || warehouseId === undefined) return false;
  const quantity = unitsToNumber(shelf.getAvailable(warehouseId) + 1_000_000n, QUANTITY_PLACES);
  const customerId = lane.chance.pick(lane.customerIds);
  const lines = [{ productId: shelf.productId, quantity, warehouseId, unitPrice: 1 }];
  await lane.expectRejection('/api/invoices', { customerId, issueDate: lane.day, lines }, 'insufficient_stock');
  return true;
}
