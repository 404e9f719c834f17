import { maxDate } from './lane';
import type { Lane, LanePayment, Settlement } from './lane';
import type { LedgerItem, Side } from './books';
import type { ReplyData } from './faulty-client';
import { avoidDiscounts } from './discounts';
import { BASE_CURRENCY, DECIMALS, unitsToNumber, toBase } from './money';
import type { Currency } from './money';

const DEBITS = { receivable: ['invoice'], payable: ['bill', 'receipt'] } as const;
const CREDITS = ['payment', 'credit_note'] as const;
const PARTY = { receivable: 'customerId', payable: 'vendorId' } as const;

const amountToNumber = (amount: bigint, currency: Currency): number => unitsToNumber(amount, DECIMALS[currency]);

/** Applies a credit to a document in the test ledger and compares it with the response. */
export function recordSettlement(
  lane: Lane,
  credit: LedgerItem,
  debit: LedgerItem,
  amount: bigint,
  settled: bigint,
  date: string,
  allocation: ReplyData,
): Settlement {
  const on = maxDate(date, maxDate(credit.date, debit.date));
  const amountBase = lane.ledger.settle(credit, amount, on);
  const settledBase = lane.ledger.settle(debit, settled, on);
  const gain = credit.side === 'receivable' ? amountBase - settledBase : settledBase - amountBase;
  const what = `allocation ${String(allocation['id'])}`;
  if (allocation['documentId'] !== debit.id || allocation['date'] !== on)
    throw new Error(`${what}: ${JSON.stringify(allocation)}, not ${debit.id} on ${on}`);
  lane.expectAmount(`${what} amount`, amount, allocation['amount'], credit.currency);
  lane.expectAmount(`${what} settled`, settled, allocation['settled'], debit.currency);
  lane.expectAmount(`${what} relieved`, settledBase, allocation['settledBase']);
  lane.expectAmount(`${what} realised`, gain, allocation['realised']);
  const settlement = {
    id: Number(allocation['id']),
    credit,
    debit,
    amount,
    amountBase,
    settled,
    settledBase,
    discount: 0n,
    discountBase: 0n,
    reversed: false,
  };
  lane.settlements.push(settlement);
  return settlement;
}

interface Share {
  debit: LedgerItem;
  amount: bigint;
  settled: bigint;
}

/** The kinds of documents that a payment without instructions settles; receipts wait for their bills. */
const AUTOMATIC_DEBITS = { receivable: ['invoice'], payable: ['bill'] } as const;

/** Documents settled by a payment without instructions: oldest due date first, in its currency. */
function selectOldestDue(lane: Lane, side: Side, partyId: number, currency: Currency, amount: bigint): Share[] {
  let left = amount;
  return lane
    .listOpenItems(side, AUTOMATIC_DEBITS[side], partyId)
    .filter((item) => item.currency === currency)
    .sort((a, b) => (a.dueDate === b.dueDate ? a.id - b.id : a.dueDate < b.dueDate ? -1 : 1))
    .flatMap((debit): Share[] => {
      const share = debit.open < left ? debit.open : left;
      left -= share;
      return share > 0n ? [{ debit, amount: share, settled: share }] : [];
    });
}

/**
 * Posts a payment and expects its allocations.
 * @param shares null for a payment without instructions, which settles the oldest documents
 */
export async function postPayment(
  lane: Lane,
  side: Side,
  partyId: number,
  currency: Currency,
  amount: bigint,
  shares: Share[] | null,
) {
  const allocations = shares?.map(({ debit, amount: part, settled }) => ({
    documentId: debit.id,
    amount: amountToNumber(part, currency),
    ...(debit.currency === currency ? {} : { settled: amountToNumber(settled, debit.currency) }),
    ...(side === 'receivable' ? { discount: 0 } : {}),
  }));
  const json = {
    [PARTY[side]]: partyId,
    amount: amountToNumber(amount, currency),
    currencyCode: currency,
    date: lane.day,
    method: 'bank_transfer',
    ...(allocations === undefined ? {} : { allocations }),
  };
  const expected = shares ?? selectOldestDue(lane, side, partyId, currency, amount);
  const data = await lane.create(`/api/${side}s/payments`, json, `${side} payment`);
  const originalBase = toBase(amount, currency, lane.getRate(currency));
  lane.expectAmount('base amount of a payment', originalBase, data['amountBase']);
  const item = lane.ledger.post({
    side,
    kind: 'payment',
    id: Number(data['id']),
    partyId,
    currency,
    date: lane.day,
    dueDate: lane.day,
    original: amount,
    originalBase,
  });
  const postedAllocations = data['allocations'] as ReplyData[];
  if (postedAllocations.length !== expected.length)
    throw new Error(`${postedAllocations.length} allocations, not ${expected.length}: ${JSON.stringify(data)}`);
  const settlements = expected.map(({ debit, amount: part, settled }, index) =>
    recordSettlement(lane, item, debit, part, settled, lane.day, postedAllocations[index] ?? {}),
  );
  lane.expectAmount('what is left of a payment', item.open, data['unapplied'], currency);
  const paid: LanePayment = {
    id: item.id,
    type: 'payment',
    item,
    settlements,
    refundedAmount: 0n,
    refundedBase: 0n,
    void: false,
  };
  lane.payments.push(paid);
}

/** A payment: without instructions, with instructions, in advance, or in another currency. */
export async function pay(lane: Lane, side: Side): Promise<boolean> {
  const { chance } = lane;
  const debit = chance.pick(lane.listOpenItems(side, DEBITS[side]));
  if (debit === undefined) return false;
  const { partyId, currency } = debit;
  const style = chance.next();
  if (style < 0.4) {
    const amount = avoidDiscounts(lane, partyId, currency, chance.pickPart(debit.open * 2n));
    await postPayment(lane, side, partyId, currency, amount, null);
  } else if (style < 0.55) {
    await postPayment(lane, side, partyId, lane.pickCurrency(), BigInt(chance.between(100, 90_000)), []);
  } else if (style < 0.8) {
    const same = lane.listOpenItems(side, DEBITS[side], partyId).filter((item) => item.currency === currency);
    const shares = same
      .filter((item, index) => item === debit || (index < 3 && chance.nextBoolean(0.5)))
      .map((item): Share => {
        const part = chance.pickPart(item.open);
        return { debit: item, amount: part, settled: part };
      });
    const extra = chance.nextBoolean(0.3) ? BigInt(chance.between(1, 5000)) : 0n;
    await postPayment(
      lane,
      side,
      partyId,
      currency,
      shares.reduce((total, share) => total + share.amount, extra),
      shares,
    );
  } else {
    const other = lane.pickCurrency();
    const amount = BigInt(chance.between(50, 60_000));
    const settled = other === currency ? null : chance.pickPart(debit.open);
    const part = settled ?? (amount < debit.open ? amount : debit.open);
    await postPayment(lane, side, partyId, other, settled === null ? part : amount, [
      { debit, amount: settled === null ? part : amount, settled: part },
    ]);
  }
  return true;
}

const buildCreditReference = (credit: LedgerItem): ReplyData =>
  credit.kind === 'payment' ? { paymentId: credit.id } : { creditNoteId: credit.id };

/** Applies a part of a credit to a document of the same party. @returns false if there is no such pair */
export async function applyCredit(lane: Lane, side: Side): Promise<boolean> {
  const { chance } = lane;
  const credit = chance.pick(lane.listOpenItems(side, CREDITS));
  const debit = credit && chance.pick(lane.listOpenItems(side, DEBITS[side], credit.partyId));
  if (credit === undefined || debit === undefined) return false;
  const same = credit.currency === debit.currency;
  const amount = chance.pickPart(same && debit.open < credit.open ? debit.open : credit.open);
  const settled = same ? amount : chance.pickPart(debit.open);
  const json = {
    ...buildCreditReference(credit),
    documentId: debit.id,
    amount: amountToNumber(amount, credit.currency),
    ...(same ? {} : { settled: amountToNumber(settled, debit.currency) }),
    ...(side === 'receivable' ? { discount: 0 } : {}),
    date: lane.day,
  };
  const data = await lane.create(`/api/${side}s/allocations`, json, `${side} allocation`);
  const settlement = recordSettlement(lane, credit, debit, amount, settled, lane.day, data);
  lane.payments.find(({ item, type }) => type === 'payment' && item === credit)?.settlements.push(settlement);
  return true;
}

/** Pays out a part of a credit. @returns false if there is none */
export async function refund(lane: Lane, side: Side): Promise<boolean> {
  const credit = lane.chance.pick(lane.listOpenItems(side, CREDITS));
  if (credit === undefined) return false;
  const amount = lane.chance.pickPart(credit.open);
  const { currency } = credit;
  const json = {
    ...buildCreditReference(credit),
    amount: amountToNumber(amount, currency),
    date: lane.day,
    method: 'bank_transfer',
  };
  const data = await lane.create(`/api/${side}s/refunds`, json, `${side} refund`);
  const amountBase = toBase(amount, currency, lane.getRate(currency));
  const consumed = lane.ledger.settle(credit, amount, lane.day);
  lane.expectAmount('base amount of a refund', amountBase, data['amountBase']);
  lane.expectAmount(
    'realised by a refund',
    side === 'receivable' ? consumed - amountBase : amountBase - consumed,
    data['realised'],
  );
  const id = Number(data['id']);
  lane.payments.push({
    id,
    type: 'refund',
    item: credit,
    settlements: [],
    refundedAmount: amount,
    refundedBase: consumed,
    void: false,
  });
  return true;
}

/** Reverses settlements by counter-entries on a day. */
function reverseSettlement(lane: Lane, settlement: Settlement, date: string): void {
  settlement.reversed = true;
  if (settlement.discount > 0n)
    lane.ledger.restore(settlement.debit, settlement.discount, settlement.discountBase, date);
  lane.ledger.restore(settlement.credit, settlement.amount, settlement.amountBase, date);
  lane.ledger.restore(settlement.debit, settlement.settled, settlement.settledBase, date);
}

/** @returns false if no allocation is left to reverse */
export async function reverseAllocation(lane: Lane, side: Side): Promise<boolean> {
  const settlement = lane.chance.pick(
    lane.settlements.filter(({ credit, reversed }) => credit.side === side && !reversed),
  );
  if (settlement === undefined) return false;
  const path = `/api/${side}s/allocations/${settlement.id}/reverse`;
  const reply = await lane.client.postUnlessDone(
    path,
    { reason: 'Applied to the wrong document' },
    'allocation_reversed',
  );
  if (reply.status !== 200) throw new Error(lane.describeReply(path, {}, reply));
  const { reversedOn } = (reply.body['data'] ?? {}) as ReplyData;
  reverseSettlement(
    lane,
    settlement,
    typeof reversedOn === 'string' ? reversedOn : new Date().toISOString().slice(0, 10),
  );
  lane.countDocument(`${side} reversal`);
  return true;
}

/** Voids a payment or a refund. */
export async function voidPayment(lane: Lane, side: Side): Promise<boolean> {
  const refunded = new Set(
    lane.payments.filter((paid) => paid.type === 'refund' && !paid.void).map(({ item }) => item),
  );
  const activePayments = lane.payments.filter(({ item, void: done }) => item.side === side && !done);
  const paid = lane.chance.pick(activePayments.filter(({ type, item }) => type === 'refund' || !refunded.has(item)));
  if (paid === undefined) return false;
  const path = `/api/${side}s/payments/${paid.id}/void`;
  const reply = await lane.client.postUnlessDone(path, { reason: 'Bounced' }, 'already_void');
  if (reply.status !== 200) throw new Error(lane.describeReply(path, {}, reply));
  const data = (await lane.client.get(`/api/${side}s/payments/${paid.id}`)).body['data'] as ReplyData;
  const date = String(data['voidedOn']);
  paid.void = true;
  if (paid.type === 'refund') lane.ledger.restore(paid.item, paid.refundedAmount, paid.refundedBase, date);
  else {
    for (const settlement of paid.settlements.filter(({ reversed }) => !reversed))
      reverseSettlement(lane, settlement, date);
    for (const writeOff of lane.writeOffs.filter((each) => each.item === paid.item && !each.void)) {
      writeOff.void = true;
      lane.ledger.restore(paid.item, writeOff.amount, writeOff.amountBase, date);
    }
    lane.ledger.settle(paid.item, paid.item.open, date);
  }
  lane.countDocument(`${side} void`);
  return true;
}

/** Pays more than the open amount of a document: rejected without any change. */
export async function overpay(lane: Lane, side: Side): Promise<boolean> {
  const debit = lane.chance.pick(lane.listOpenItems(side, DEBITS[side]));
  if (debit === undefined) return false;
  const amount = amountToNumber(debit.open + 1n, debit.currency);
  const allocations = [{ documentId: debit.id, amount }];
  const json = { [PARTY[side]]: debit.partyId, amount, currencyCode: debit.currency, date: lane.day, allocations };
  await lane.expectRejection(`/api/${side}s/payments`, json, 'allocation_exceeds_open');
  return true;
}

/** Pays on a locked day: rejected without any change. */
export async function payLocked(lane: Lane): Promise<boolean> {
  const date = lane.market.lockedThrough;
  if (date === null) return false;
  const json = { customerId: lane.customerIds[0], amount: 1, currencyCode: BASE_CURRENCY, date };
  await lane.expectRejection('/api/receivables/payments', json, 'period_locked');
  return true;
}

/** The expected open amount of every document. */
export const listOpenAmounts = (lane: Lane, side: Side): Map<number, number> =>
  new Map(
    lane.ledger.items
      .filter(
        (item) => item.side === side && (item.kind === 'invoice' || item.kind === 'bill' || item.kind === 'receipt'),
      )
      .map((item) => [item.id, amountToNumber(item.open, item.currency)]),
  );
