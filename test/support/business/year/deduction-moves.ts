import type { Lane, LaneInvoice } from './lane';
import type { ReplyData } from './faulty-client';
import { BASE_CURRENCY, DECIMALS, toBase, unitsToNumber } from './money';
import type { Currency } from './money';
import { recordSettlement } from './money-moves';

/** Largest difference that can be written off, in cents of base currency. */
export const WRITE_OFF_LIMIT = 5000n;

const toNumber = (amount: bigint, currency: Currency): number => unitsToNumber(amount, DECIMALS[currency]);

/** Whether the customer has taken the discount of an invoice, which is granted once. */
const hasTakenDiscount = (lane: Lane, { item }: LaneInvoice): boolean =>
  lane.settlements.some(({ debit, discount, reversed }) => debit === item && discount > 0n && !reversed);

/** Pays an invoice less its discount for early payment, in time. */
export async function payWithDiscount(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const sold = chance.pick(
    lane.invoices.filter(
      (invoice) =>
        invoice.discount !== null &&
        invoice.discount.amount > 0n &&
        !invoice.void &&
        !invoice.hasCreditNote &&
        day <= invoice.discount.until &&
        invoice.item.open > invoice.discount.amount &&
        !hasTakenDiscount(lane, invoice),
    ),
  );
  if (sold?.discount == null) return false;
  const { item, discount } = sold;
  const { partyId, currency } = item;
  const amount = item.open - discount.amount;
  const named = chance.nextBoolean(0.5) ? { discount: toNumber(discount.amount, currency) } : {};
  const allocations = [{ documentId: item.id, amount: toNumber(amount, currency), ...named }];
  const json = {
    customerId: partyId,
    amount: toNumber(amount, currency),
    currencyCode: currency,
    date: day,
    method: 'bank_transfer',
    allocations,
  };
  const data = await lane.create('/api/receivables/payments', json, 'discount');
  const originalBase = toBase(amount, currency, lane.getRate(currency));
  const credit = lane.ledger.post({
    side: 'receivable',
    kind: 'payment',
    id: Number(data['id']),
    partyId,
    currency,
    date: day,
    dueDate: day,
    original: amount,
    originalBase,
  });
  const [allocation = {}] = data['allocations'] as ReplyData[];
  const settlement = recordSettlement(lane, credit, item, amount, amount, day, allocation);
  lane.expectAmount('discount', discount.amount, allocation['discount'], currency);
  settlement.discount = discount.amount;
  settlement.discountBase = lane.ledger.settle(item, discount.amount, day);
  lane.payments.push({
    id: credit.id,
    type: 'payment',
    item: credit,
    settlements: [settlement],
    refundedAmount: 0n,
    refundedBase: 0n,
    void: false,
  });
  return true;
}

/** Writes off what is left of an invoice or of a payment, if it is little. */
export async function writeOffRest(lane: Lane): Promise<boolean> {
  const active = new Set(lane.writeOffs.filter((each) => !each.void).map(({ item }) => item));
  const small = lane
    .listOpenItems('receivable', ['invoice', 'payment'])
    .filter((item) => !active.has(item))
    .filter(
      (item) => toBase(item.open, item.currency, lane.market.rateOn(item.currency, item.date)) <= WRITE_OFF_LIMIT,
    );
  const item = lane.chance.pick(small);
  if (item === undefined) return false;
  const amount = item.open;
  const named = item.kind === 'invoice' ? { documentId: item.id } : { paymentId: item.id };
  const json = { ...named, date: lane.day, reason: 'Small difference' };
  const data = await lane.create('/api/receivables/write-offs', json, 'write-off');
  const amountBase = lane.ledger.settle(item, amount, lane.day);
  lane.expectAmount('written off', amount, data['amount'], item.currency);
  lane.expectAmount('written off in base currency', amountBase, data['amountBase'], BASE_CURRENCY);
  lane.writeOffs.push({ id: Number(data['id']), item, amount, amountBase, void: false });
  return true;
}

/** Voids a write-off. */
export async function voidWriteOff(lane: Lane): Promise<boolean> {
  const writeOff = lane.chance.pick(lane.writeOffs.filter((each) => !each.void));
  if (writeOff === undefined) return false;
  const path = `/api/receivables/write-offs/${writeOff.id}`;
  const json = { reason: 'Paid after all' };
  const reply = await lane.client.postUnlessDone(`${path}/void`, json, 'already_void');
  if (reply.status !== 200) throw new Error(lane.describeReply(path, json, reply));
  const data = (await lane.client.get(path)).body['data'] as ReplyData;
  writeOff.void = true;
  lane.ledger.restore(writeOff.item, writeOff.amount, writeOff.amountBase, String(data['voidedOn']));
  lane.countDocument('void write-off');
  return true;
}
