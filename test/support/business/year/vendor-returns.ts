import type { Lane, LaneBill, LaneReceipt, ReceivedLine } from './lane';
import type { ReplyData } from './faulty-client';
import { divideRounded, QUANTITY_PLACES, toBase, unitsToNumber } from './money';
import { isBillable, nextVendorNumber, postPayable } from './purchases';

const HALF = 500_000n;
/** More than rounded totals of a bill can differ from its lines, in minor units. */
const ROUNDING = 20n;

interface ReturnedLine {
  line: ReceivedLine;
  quantity: bigint;
}

/** Goods of a receipt that can be returned: received, not returned yet, and still in the warehouse. */
function pickLines(lane: Lane, { lines }: LaneReceipt): ReturnedLine[] {
  const { chance } = lane;
  const taken = new Map<string, bigint>();
  return lines.flatMap((line): ReturnedLine[] => {
    const key = `${line.productId}/${line.warehouseId}`;
    const shelf = lane.shelves.find(({ productId }) => productId === line.productId);
    const available = (shelf?.getAvailable(line.warehouseId) ?? 0n) - (taken.get(key) ?? 0n);
    const left = line.quantity - line.returned;
    const most = left < available ? left : available;
    if (most < HALF) return [];
    const quantity = chance.nextBoolean(0.3) ? most : HALF * BigInt(chance.between(1, Number(most / HALF)));
    taken.set(key, (taken.get(key) ?? 0n) + quantity);
    return [{ line, quantity }];
  });
}

/** A share of the line, rounded cumulatively, so that all returns add up to the line. */
const takeShare = (amount: bigint, { quantity, returned }: ReceivedLine, more: bigint): bigint =>
  divideRounded(amount * (returned + more), quantity) - divideRounded(amount * returned, quantity);

/**
 * By how much a return, at the cost of the receipt, exceeds what is left of a bill that charged less for the goods.
 * Negative if it does not.
 */
function computeExcess(lane: Lane, { item }: LaneBill, returned: readonly ReturnedLine[]): bigint {
  const amounts = returned.map(
    ({ line, quantity }) => takeShare(line.net, line, quantity) + takeShare(line.tax, line, quantity),
  );
  const left = item.original - lane.computeCredited(item);
  return amounts.reduce((sum, amount) => sum + amount, -left);
}

/** Issues the goods, and compares amounts and cost of every line. @returns net and tax */
function expectLines(lane: Lane, returned: readonly ReturnedLine[], data: ReplyData, { item }: LaneReceipt) {
  const rows = data['lines'] as ReplyData[];
  let [net, tax, cost] = [0n, 0n, 0n];
  for (const [index, { line, quantity }] of returned.entries()) {
    const own = { net: takeShare(line.net, line, quantity), tax: takeShare(line.tax, line, quantity) };
    lane.expectAmount('net amount of a returned line', own.net, rows[index]?.['net'], item.currency);
    lane.expectAmount('tax of a returned line', own.tax, rows[index]?.['tax'], item.currency);
    line.returned += quantity;
    net += own.net;
    tax += own.tax;
    const shelf = lane.shelves.find(({ productId }) => productId === line.productId);
    const value = shelf?.issue(line.warehouseId, quantity) ?? 0n;
    lane.expectAmount('cost of a returned line', value, rows[index]?.['cost']);
    cost += value;
  }
  lane.expectAmount('total of a return', net + tax, data['grandTotal'], item.currency);
  lane.expectAmount('cost of a return', cost, data['cost']);
  return { net, tax };
}

/** The credit note of a return after the bill, at the rate of the bill, which it first reduces. */
async function creditBill(
  lane: Lane,
  { currency }: LaneReceipt['item'],
  { item: bill, rates }: LaneBill,
  creditNoteId: unknown,
): Promise<void> {
  const { body } = await lane.client.get(`/api/payables/${String(creditNoteId)}`);
  const data = body['data'] as ReplyData;
  const credit = postPayable(lane, 'credit_note', data, currency, rates.credit(data));
  lane.ledger.credit(credit, bill, lane.day);
  lane.creditedBills.set(credit, bill);
}

/** Returns goods of a receipt, before or after its bill. */
export async function returnToVendor(lane: Lane): Promise<boolean> {
  const { chance } = lane;
  const receipt = chance.pick(lane.receipts.filter((each) => each.billed !== null || isBillable(each)));
  if (receipt === undefined) return false;
  const returned = pickLines(lane, receipt);
  if (returned.length === 0) return false;
  const { item, billed } = receipt;
  const body = (lines: readonly ReturnedLine[]): ReplyData => ({
    receiptId: item.id,
    date: lane.day,
    reason: 'Damaged',
    lines: lines.map(({ line, quantity }) => ({
      lineId: line.lineId,
      quantity: unitsToNumber(quantity, QUANTITY_PLACES),
    })),
  });
  if (chance.nextBoolean(0.1)) {
    const beyond = returned.map(({ line }) => ({ line, quantity: line.quantity - line.returned + HALF }));
    await lane.expectRejection('/api/vendor-returns', body(beyond), 'over_return');
  }
  const json = { ...body(returned), ...(billed === null ? {} : { creditNoteNumber: nextVendorNumber(lane) }) };
  const excess = billed === null ? -1n : computeExcess(lane, billed, returned);
  if (excess > ROUNDING) {
    await lane.expectRejection('/api/vendor-returns', json, 'credit_exceeds_bill');
    return true;
  }
  // Whether it is accepted depends on how the vendor may have rounded.
  if (excess > 0n) return false;
  const data = await lane.create(
    '/api/vendor-returns',
    json,
    `return ${billed === null ? 'before' : 'after'} the bill`,
  );
  const { net, tax } = expectLines(lane, returned, data, receipt);
  if (billed !== null) {
    await creditBill(lane, item, billed, data['creditNoteId']);
    return true;
  }
  const base = lane.ledger.settle(item, net + tax, lane.day);
  receipt.returned += net + tax;
  receipt.net -= net;
  const convertTax = (amount: bigint): bigint => toBase(amount, item.currency, receipt.rate);
  receipt.netBase -= base - (convertTax(receipt.returnedTax + tax) - convertTax(receipt.returnedTax));
  receipt.returnedTax += tax;
  return true;
}
