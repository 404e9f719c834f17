import type { LedgerItem } from './books';
import type { Lane } from './lane';
import { DECIMALS, unitsToNumber } from './money';
import type { Currency } from './money';
import { postPayment } from './money-moves';
import { expectTotals } from './sales';

/** Issues an invoice of one line and returns its item. */
async function issue(
  lane: Lane,
  head: { customerId: number; currencyCode: Currency },
  fields: { unitPrice: number; taxRateId: number; line: object; more: object; kind: string },
): Promise<LedgerItem> {
  const { day } = lane;
  const { unitPrice, taxRateId, line, more, kind } = fields;
  const lines = [{ quantity: 1, unitPrice, taxRateId, priceIncludesTax: false, ...line }];
  const json = { ...head, paymentTerms: 'CASH', issueDate: day, lines, ...more };
  const data = await lane.create('/api/invoices', json, kind);
  const { customerId: partyId, currencyCode: currency } = head;
  const { grand, base } = expectTotals(lane, data, currency);
  return lane.ledger.post({
    side: 'receivable',
    kind: 'invoice',
    id: Number(data['id']),
    partyId,
    currency,
    date: day,
    dueDate: day,
    original: grand,
    originalBase: base,
  });
}

/** A deposit invoice, its payment, and the final invoice that deducts it. */
export async function sellWithDeposit(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const currencyCode = lane.pickCurrency();
  const customerId = chance.pick(lane.customerIds) ?? 0;
  const head = { customerId, currencyCode };
  const taxRateId = chance.pick(lane.market.taxRateIds) ?? 0;
  const unitPrice = chance.between(100, 5000);
  const deposit = await issue(lane, head, {
    unitPrice,
    taxRateId,
    line: { description: 'Deposit' },
    more: { deposit: true },
    kind: 'deposit',
  });
  const amount = deposit.open;
  await postPayment(lane, 'receivable', customerId, currencyCode, amount, [
    { debit: deposit, amount, settled: amount },
  ]);
  const productId = chance.pick(lane.serviceIds) ?? 0;
  const item = await issue(lane, head, {
    unitPrice: unitPrice * chance.between(1, 4),
    taxRateId,
    line: { productId },
    more: { depositInvoiceIds: [deposit.id] },
    kind: 'invoice',
  });
  const amountBase = lane.ledger.settle(item, amount, day);
  const reply = await lane.client.get(`/api/invoices/${item.id}`);
  const { open } = reply.body['data'] as { open: number };
  if (open !== unitsToNumber(item.open, DECIMALS[currencyCode])) throw new Error(`${open} is open, not ${item.open}`);
  lane.invoices.push({
    id: item.id,
    item,
    issueDate: day,
    left: [],
    uncredited: new Map([[1, 1_000_000n]]),
    hasCreditNote: false,
    discount: null,
    deposit: { amount, amountBase },
    order: null,
    void: false,
  });
  return true;
}
