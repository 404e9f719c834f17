import { later } from './lane';
import type { Lane, Paid, Settlement } from './lane';
import type { Item, Side } from './books';
import type { Data } from './faulty-client';
import { BASE, DECIMALS, number, toBase } from './money';
import type { Currency } from './money';

const DEBITS = { receivable: ['invoice'], payable: ['bill', 'receipt'] } as const;
const CREDITS = ['payment', 'credit_note'] as const;
const PARTY = { receivable: 'customerId', payable: 'vendorId' } as const;

const shown = (amount: bigint, currency: Currency): number => number(amount, DECIMALS[currency]);

/** Applies a credit to a document by hand and compares it with the answer. */
function settle(
  lane: Lane,
  credit: Item,
  debit: Item,
  amount: bigint,
  settled: bigint,
  date: string,
  told: Data,
): Settlement {
  const on = later(date, later(credit.date, debit.date));
  const amountBase = lane.books.take(credit, amount, on);
  const settledBase = lane.books.take(debit, settled, on);
  const gain = credit.side === 'receivable' ? amountBase - settledBase : settledBase - amountBase;
  const what = `allocation ${String(told['id'])}`;
  if (told['documentId'] !== debit.id || told['date'] !== on)
    throw new Error(`${what}: ${JSON.stringify(told)}, not ${debit.id} on ${on}`);
  lane.agree(`${what} amount`, amount, told['amount'], credit.currency);
  lane.agree(`${what} settled`, settled, told['settled'], debit.currency);
  lane.agree(`${what} relieved`, settledBase, told['settledBase']);
  lane.agree(`${what} realised`, gain, told['realised']);
  const settlement = {
    id: Number(told['id']),
    credit,
    debit,
    amount,
    amountBase,
    settled,
    settledBase,
    reversed: false,
  };
  lane.settlements.push(settlement);
  return settlement;
}

interface Share {
  debit: Item;
  amount: bigint;
  settled: bigint;
}

/** What a payment without instructions settles: oldest due first, in its own currency. */
function oldestDue(lane: Lane, side: Side, partyId: number, currency: Currency, amount: bigint): Share[] {
  let left = amount;
  return lane
    .open(side, DEBITS[side], partyId)
    .filter((item) => item.currency === currency)
    .sort((a, b) => (a.dueDate === b.dueDate ? a.id - b.id : a.dueDate < b.dueDate ? -1 : 1))
    .flatMap((debit): Share[] => {
      const share = debit.open < left ? debit.open : left;
      left -= share;
      return share > 0n ? [{ debit, amount: share, settled: share }] : [];
    });
}

async function post(
  lane: Lane,
  side: Side,
  partyId: number,
  currency: Currency,
  amount: bigint,
  shares: Share[] | null,
) {
  const allocations = shares?.map(({ debit, amount: part, settled }) => ({
    documentId: debit.id,
    amount: shown(part, currency),
    ...(debit.currency === currency ? {} : { settled: shown(settled, debit.currency) }),
  }));
  const json = {
    [PARTY[side]]: partyId,
    amount: shown(amount, currency),
    currencyCode: currency,
    date: lane.day,
    method: 'bank_transfer',
    ...(allocations === undefined ? {} : { allocations }),
  };
  const expected = shares ?? oldestDue(lane, side, partyId, currency, amount);
  const data = await lane.make(`/api/${side}s/payments`, json, `${side} payment`);
  const originalBase = toBase(amount, currency, lane.rate(currency));
  lane.agree('base amount of a payment', originalBase, data['amountBase']);
  const item = lane.books.post({
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
  const told = data['allocations'] as Data[];
  if (told.length !== expected.length)
    throw new Error(`${told.length} allocations, not ${expected.length}: ${JSON.stringify(data)}`);
  const settlements = expected.map(({ debit, amount: part, settled }, index) =>
    settle(lane, item, debit, part, settled, lane.day, told[index] ?? {}),
  );
  lane.agree('what is left of a payment', item.open, data['unapplied'], currency);
  const paid: Paid = {
    id: item.id,
    type: 'payment',
    item,
    settlements,
    refundedAmount: 0n,
    refundedBase: 0n,
    void: false,
  };
  lane.paid.push(paid);
}

/** A payment: without instructions, with them, ahead of any document, or in another currency. */
export async function pay(lane: Lane, side: Side): Promise<boolean> {
  const { chance } = lane;
  const debit = chance.pick(lane.open(side, DEBITS[side]));
  if (debit === undefined) return false;
  const { partyId, currency } = debit;
  const style = chance.next();
  if (style < 0.4) await post(lane, side, partyId, currency, chance.part(debit.open * 2n), null);
  else if (style < 0.55) await post(lane, side, partyId, lane.currency(), BigInt(chance.between(100, 90_000)), []);
  else if (style < 0.8) {
    const same = lane.open(side, DEBITS[side], partyId).filter((item) => item.currency === currency);
    const shares = same
      .filter((item, index) => item === debit || (index < 3 && chance.chance(0.5)))
      .map((item): Share => {
        const part = chance.part(item.open);
        return { debit: item, amount: part, settled: part };
      });
    const extra = chance.chance(0.3) ? BigInt(chance.between(1, 5000)) : 0n;
    await post(
      lane,
      side,
      partyId,
      currency,
      shares.reduce((total, share) => total + share.amount, extra),
      shares,
    );
  } else {
    const other = lane.currency();
    const amount = BigInt(chance.between(50, 60_000));
    const settled = other === currency ? null : chance.part(debit.open);
    const part = settled ?? (amount < debit.open ? amount : debit.open);
    await post(lane, side, partyId, other, settled === null ? part : amount, [
      { debit, amount: settled === null ? part : amount, settled: part },
    ]);
  }
  return true;
}

const nameOf = (credit: Item): Data =>
  credit.kind === 'payment' ? { paymentId: credit.id } : { creditNoteId: credit.id };

export async function applyCredit(lane: Lane, side: Side): Promise<boolean> {
  const { chance } = lane;
  const credit = chance.pick(lane.open(side, CREDITS));
  const debit = credit && chance.pick(lane.open(side, DEBITS[side], credit.partyId));
  if (credit === undefined || debit === undefined) return false;
  const same = credit.currency === debit.currency;
  const amount = chance.part(same && debit.open < credit.open ? debit.open : credit.open);
  const settled = same ? amount : chance.part(debit.open);
  const json = {
    ...nameOf(credit),
    documentId: debit.id,
    amount: shown(amount, credit.currency),
    ...(same ? {} : { settled: shown(settled, debit.currency) }),
    date: lane.day,
  };
  const data = await lane.make(`/api/${side}s/allocations`, json, `${side} allocation`);
  const settlement = settle(lane, credit, debit, amount, settled, lane.day, data);
  lane.paid.find(({ item, type }) => type === 'payment' && item === credit)?.settlements.push(settlement);
  return true;
}

export async function refund(lane: Lane, side: Side): Promise<boolean> {
  const credit = lane.chance.pick(lane.open(side, CREDITS));
  if (credit === undefined) return false;
  const amount = lane.chance.part(credit.open);
  const { currency } = credit;
  const json = { ...nameOf(credit), amount: shown(amount, currency), date: lane.day, method: 'bank_transfer' };
  const data = await lane.make(`/api/${side}s/refunds`, json, `${side} refund`);
  const amountBase = toBase(amount, currency, lane.rate(currency));
  const consumed = lane.books.take(credit, amount, lane.day);
  lane.agree('base amount of a refund', amountBase, data['amountBase']);
  lane.agree(
    'realised by a refund',
    side === 'receivable' ? consumed - amountBase : amountBase - consumed,
    data['realised'],
  );
  const id = Number(data['id']);
  lane.paid.push({
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

/** Takes settlements back by counter-entries of a day. */
function reverse(lane: Lane, settlement: Settlement, date: string): void {
  settlement.reversed = true;
  lane.books.giveBack(settlement.credit, settlement.amount, settlement.amountBase, date);
  lane.books.giveBack(settlement.debit, settlement.settled, settlement.settledBase, date);
}

export async function reverseAllocation(lane: Lane, side: Side): Promise<boolean> {
  const settlement = lane.chance.pick(
    lane.settlements.filter(({ credit, reversed }) => credit.side === side && !reversed),
  );
  if (settlement === undefined) return false;
  const path = `/api/${side}s/allocations/${settlement.id}/reverse`;
  const reply = await lane.client.act(path, { reason: 'Applied to the wrong document' }, 'allocation_reversed');
  if (reply.status !== 200) throw new Error(lane.told(path, {}, reply));
  const { reversedOn } = (reply.body['data'] ?? {}) as Data;
  reverse(lane, settlement, typeof reversedOn === 'string' ? reversedOn : new Date().toISOString().slice(0, 10));
  lane.count(`${side} reversal`);
  return true;
}

/** Voids a payment or a refund. */
export async function voidPayment(lane: Lane, side: Side): Promise<boolean> {
  const refunded = new Set(lane.paid.filter((paid) => paid.type === 'refund' && !paid.void).map(({ item }) => item));
  const standing = lane.paid.filter(({ item, void: done }) => item.side === side && !done);
  const paid = lane.chance.pick(standing.filter(({ type, item }) => type === 'refund' || !refunded.has(item)));
  if (paid === undefined) return false;
  const path = `/api/${side}s/payments/${paid.id}/void`;
  const reply = await lane.client.act(path, { reason: 'Bounced' }, 'already_void');
  if (reply.status !== 200) throw new Error(lane.told(path, {}, reply));
  const data = (await lane.client.get(`/api/${side}s/payments/${paid.id}`)).body['data'] as Data;
  const date = String(data['voidedOn']);
  paid.void = true;
  if (paid.type === 'refund') lane.books.giveBack(paid.item, paid.refundedAmount, paid.refundedBase, date);
  else {
    for (const settlement of paid.settlements.filter(({ reversed }) => !reversed)) reverse(lane, settlement, date);
    lane.books.take(paid.item, paid.item.open, date);
  }
  lane.count(`${side} void`);
  return true;
}

/** Pays a document with more than is open of it: refused, and nothing changes. */
export async function overpay(lane: Lane, side: Side): Promise<boolean> {
  const debit = lane.chance.pick(lane.open(side, DEBITS[side]));
  if (debit === undefined) return false;
  const amount = shown(debit.open + 1n, debit.currency);
  const allocations = [{ documentId: debit.id, amount }];
  const json = { [PARTY[side]]: debit.partyId, amount, currencyCode: debit.currency, date: lane.day, allocations };
  await lane.refuse(`/api/${side}s/payments`, json, 'allocation_exceeds_open');
  return true;
}

/** Pays on a day that is locked: refused, and nothing changes. */
export async function payLocked(lane: Lane): Promise<boolean> {
  const date = lane.market.lockedThrough;
  if (date === null) return false;
  const json = { customerId: lane.customerIds[0], amount: 1, currencyCode: BASE, date };
  await lane.refuse('/api/receivables/payments', json, 'period_locked');
  return true;
}

/** What the service must say of every document in its list. */
export const openAmounts = (lane: Lane, side: Side): Map<number, number> =>
  new Map(
    lane.books.items
      .filter(
        (item) => item.side === side && (item.kind === 'invoice' || item.kind === 'bill' || item.kind === 'receipt'),
      )
      .map((item) => [item.id, shown(item.open, item.currency)]),
  );
