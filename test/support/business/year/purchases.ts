import { CreditedRates } from './credited-rates';
import { maxDate } from './lane';
import type { Lane, LaneOrder, LaneReceipt, ReceivedLine } from './lane';
import type { LedgerItem } from './books';
import type { ReplyData } from './faulty-client';
import {
  BASE_CURRENCY,
  COST_PLACES,
  computeCost,
  DECIMALS,
  unitsToNumber,
  QUANTITY_PLACES,
  toBase,
  toUnits,
} from './money';
import type { Currency } from './money';

const BILLABLE = ['bill', 'receipt'] as const;

const countToUnits = (count: number): bigint => BigInt(count) * 1_000_000n;

/** Orders goods from a vendor. @returns true: an order is always possible */
export async function order(lane: Lane): Promise<boolean> {
  const { chance, market } = lane;
  const vendorId = chance.pick(lane.vendorIds) ?? 0;
  const currency = lane.pickCurrency();
  const lines = Array.from({ length: chance.between(1, 3) }, () => ({
    productId: chance.pick(lane.shelves)?.productId,
    quantity: chance.between(2, 30),
    unitCost: chance.between(50, 90_000) / 1000,
    warehouseId: chance.pick(market.warehouseIds),
    taxRateId: chance.pick(market.taxRateIds),
  }));
  const json = { vendorId, currencyCode: currency, orderDate: lane.day, lines };
  const data = await lane.create('/api/purchase-orders', json, 'order');
  lane.orders.push({
    id: Number(data['id']),
    vendorId,
    currency,
    lines: (data['lines'] as ReplyData[]).map((line) => ({
      lineId: Number(line['lineId']),
      productId: Number(line['productId']),
      warehouseId: Number(line['warehouseId']),
      left: toUnits(Number(line['quantity']), QUANTITY_PLACES),
      unitCost: toUnits(Number(line['unitCost']), COST_PLACES),
    })),
  });
  return true;
}

/**
 * A payable as returned, with its base amount computed by the test.
 * @param creditedBase of a credit note, its total in base currency
 */
export function postPayable(
  lane: Lane,
  kind: 'receipt' | 'bill' | 'credit_note',
  data: ReplyData,
  currency: Currency,
  creditedBase?: bigint,
): LedgerItem {
  const [total, tax] = ['total', 'taxTotal'].map((field) => toUnits(Number(data[field]), DECIMALS[currency]));
  if (total === undefined || tax === undefined) throw new Error('The response has no totals.');
  const rate = lane.getRate(currency);
  const originalBase = creditedBase ?? toBase(total, currency, rate) + toBase(tax, currency, rate);
  lane.expectAmount('grand total of a payable', total + tax, data['grandTotal'], currency);
  lane.expectAmount('base total of a payable', originalBase, data['baseGrandTotal']);
  return lane.ledger.post({
    side: 'payable',
    kind,
    id: Number(data['id']),
    partyId: Number(data['vendorId']),
    currency,
    date: lane.day,
    dueDate: String(data['dueDate']),
    original: total + tax,
    originalBase,
  });
}

const isUnfinished = ({ lines }: LaneOrder): boolean => lines.some(({ left }) => left > 0n);

/** Receives some or all of an order, sometimes at another cost. */
export async function receive(lane: Lane): Promise<boolean> {
  const { chance } = lane;
  const found = chance.pick(lane.orders.filter(isUnfinished));
  if (found === undefined) return false;
  const arrivals = found.lines
    .filter(({ left }, index) => left > 0n && (index === 0 || chance.nextBoolean(0.7)))
    .map((line) => ({
      line,
      quantity: chance.nextBoolean(0.5) ? line.left : countToUnits(chance.between(1, Number(line.left / 1_000_000n))),
      unitCost: chance.nextBoolean(0.2) ? (line.unitCost * 11n) / 10n : line.unitCost,
    }));
  if (arrivals.length === 0) return false;
  const json = {
    date: lane.day,
    lines: arrivals.map(({ line, quantity, unitCost }) => ({
      lineId: line.lineId,
      quantity: unitsToNumber(quantity, QUANTITY_PLACES),
      unitCost: unitsToNumber(unitCost, COST_PLACES),
    })),
  };
  const data = await lane.create(`/api/purchase-orders/${found.id}/receive`, json, 'receipt');
  const receipt = data['receipt'] as ReplyData;
  const rate = lane.getRate(found.currency);
  for (const { line, quantity, unitCost } of arrivals) {
    line.left -= quantity;
    const shelf = lane.shelves.find(({ productId }) => productId === line.productId);
    shelf?.receive(line.warehouseId, quantity, computeCost(quantity, unitCost, rate));
  }
  const status = isUnfinished(found) ? 'partially_received' : 'received';
  if ((data['order'] as ReplyData)['status'] !== status) throw new Error(`order ${found.id} is not ${status}`);
  const item = postPayable(lane, 'receipt', receipt, found.currency);
  const net = toUnits(Number(receipt['total']), DECIMALS[found.currency]);
  const netBase = toBase(net, found.currency, rate);
  const lines = readReceivedLines(receipt, arrivals, found.currency);
  lane.receipts.push({
    item,
    vendorId: found.vendorId,
    net,
    netBase,
    lines,
    rate,
    returned: 0n,
    returnedTax: 0n,
    billed: null,
    unbilledOn: lane.day,
  });
  return true;
}

/** The lines of a receipt, in the order of the lines of its request. */
const readReceivedLines = (
  receipt: ReplyData,
  arrivals: readonly { line: LaneOrder['lines'][number] }[],
  currency: Currency,
): ReceivedLine[] =>
  (receipt['lines'] as ReplyData[]).map((row, index) => ({
    lineId: Number(row['lineId']),
    productId: Number(row['productId']),
    warehouseId: arrivals[index]?.line.warehouseId ?? 0,
    taxRateId: row['taxRateId'],
    unitCost: row['unitCost'],
    quantity: toUnits(Number(row['quantity']), QUANTITY_PLACES),
    returned: 0n,
    net: toUnits(Number(row['net']), DECIMALS[currency]),
    tax: toUnits(Number(row['tax']), DECIMALS[currency]),
  }));

/** Whether a receipt waits for its bill, and nothing but returns has reduced it. */
export const isBillable = ({ item, returned, billed }: LaneReceipt): boolean =>
  billed === null && item.open > 0n && item.open === item.original - returned;

let lastVendorNumber = 0;

/** A number of a vendor's document, unique among all branches. */
export const nextVendorNumber = (lane: Lane): string => `V-${lane.number}-${(lastVendorNumber += 1)}`;

/** A vendor bill, for receipts or without them. */
export async function bill(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const first = chance.pick(lane.receipts.filter(isBillable));
  if (first === undefined || chance.nextBoolean(0.3)) return billWithoutReceipt(lane);
  const { currency } = first.item;
  const billed = lane.receipts.filter(
    (each) =>
      each === first ||
      (each.vendorId === first.vendorId &&
        each.item.currency === currency &&
        isBillable(each) &&
        chance.nextBoolean(0.5)),
  );
  const lines = billed.flatMap((each) =>
    each.lines
      .filter(({ quantity, returned }) => quantity > returned)
      .map(({ quantity, returned, unitCost, taxRateId }) => ({
        description: 'As delivered',
        quantity: unitsToNumber(quantity - returned, QUANTITY_PLACES),
        unitCost: chance.nextBoolean(0.3) ? chance.between(50, 90_000) / 1000 : unitCost,
        taxRateId,
      })),
  );
  const json = {
    vendorId: first.vendorId,
    number: nextVendorNumber(lane),
    date: day,
    currencyCode: currency,
    lines,
    receiptIds: billed.map(({ item }) => item.id),
  };
  const data = await lane.create('/api/payables', json, 'bill');
  const replaced = billed.map((receipt) => {
    const amount = receipt.item.open;
    const date = maxDate(maxDate(day, receipt.item.date), receipt.unbilledOn);
    return { receipt, amount, base: lane.ledger.settle(receipt.item, amount, date) };
  });
  const item = postPayable(lane, 'bill', data, currency);
  const charged = { item, rates: new CreditedRates(data, currency, lane.getRate(currency)), replaced };
  for (const each of billed) each.billed = charged;
  const [received, atBillRate] = billed.reduce(
    ([base, current], receipt) => [base + receipt.netBase, current + receipt.net],
    [0n, 0n],
  );
  const net = toUnits(Number(data['total']), DECIMALS[currency]);
  const exchange = toBase(atBillRate, currency, lane.getRate(currency)) - received;
  const difference = toBase(net, currency, lane.getRate(currency)) - received;
  lane.expectAmount('price difference', difference - exchange, data['priceDifference']);
  lane.expectAmount('exchange difference', exchange, data['exchangeDifference']);
  return true;
}

async function billWithoutReceipt(lane: Lane): Promise<boolean> {
  const { chance } = lane;
  const currency = lane.pickCurrency();
  const json = {
    vendorId: chance.pick(lane.vendorIds),
    number: nextVendorNumber(lane),
    date: lane.day,
    currencyCode: currency,
    lines: [buildBillLine(lane)],
  };
  postPayable(lane, 'bill', await lane.create('/api/payables', json, 'bill'), currency);
  return true;
}

const MAX_BILL_LINE_QUANTITY = 3;

const buildBillLine = (lane: Lane): ReplyData & { unitCost: number } => ({
  description: 'Rent',
  quantity: lane.chance.between(1, MAX_BILL_LINE_QUANTITY),
  unitCost: lane.chance.between(100, 60_000) / 100,
  taxRateId: lane.chance.pick(lane.market.taxRateIds),
});

/** The cost per unit at which a credit note is worth less than what is open of its payable, whatever its tax rate. */
const limitUnitCost = (open: bigint, currency: Currency): number =>
  unitsToNumber(open / BigInt(2 * MAX_BILL_LINE_QUANTITY), DECIMALS[currency]);

/** A vendor credit note, with or without a payable that it reduces first. */
export async function creditVendor(lane: Lane): Promise<boolean> {
  const { chance, day, ledger: books } = lane;
  const found = chance.nextBoolean(0.7) ? chance.pick(lane.listOpenItems('payable', BILLABLE)) : undefined;
  const debit = found === undefined || limitUnitCost(found.open, found.currency) === 0 ? undefined : found;
  const currency = debit?.currency ?? lane.pickCurrency();
  const line = buildBillLine(lane);
  const limit = debit === undefined ? line.unitCost : limitUnitCost(debit.open, currency);
  const json = {
    vendorId: debit?.partyId ?? chance.pick(lane.vendorIds),
    number: nextVendorNumber(lane),
    date: day,
    currencyCode: currency,
    lines: [{ ...line, unitCost: Math.min(line.unitCost, limit) }],
    ...(debit === undefined ? {} : { payableId: debit.id }),
  };
  const data = await lane.create('/api/payables/credit-notes', json, 'vendor credit note');
  const item = postPayable(lane, 'credit_note', data, currency);
  if (debit === undefined) return true;
  const amount = debit.open < item.open ? debit.open : item.open;
  books.settle(item, amount, day);
  books.settle(debit, amount, day);
  if (debit.kind === 'bill') lane.creditedBills.set(item, debit);
  return true;
}

/** Enters a vendor's document number a second time: rejected without any change. */
export async function reuseBillNumber(lane: Lane): Promise<boolean> {
  const bills = lane.ledger.items.filter((item) => item.kind === 'bill' && !lane.voidBills.has(item));
  const entered = lane.chance.pick(bills);
  if (entered === undefined) return false;
  const { status, body } = await lane.client.get(`/api/payables/${entered.id}`);
  if (status !== 200) throw new Error(`payable ${entered.id} returned ${status}`);
  const vendorNumber = (body['data'] as ReplyData)['number'];
  const json = {
    vendorId: entered.partyId,
    number: vendorNumber,
    date: lane.day,
    currencyCode: BASE_CURRENCY,
    lines: [buildBillLine(lane)],
  };
  await lane.expectRejection('/api/payables', json, 'number_taken');
  return true;
}
