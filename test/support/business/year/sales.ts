import { later } from './lane';
import type { Lane, Settlement, Sold } from './lane';
import type { Data } from './faulty-client';
import { codeOf } from './faulty-client';
import { BASE, DECIMALS, number, QUANTITY_PLACES, toBase, units } from './money';
import type { Currency } from './money';
import type { Left } from './shelf';

const TERMS: Readonly<Record<string, number>> = { CASH: 0, NET15: 15, NET30: 30, NET60: 60 };

const addDays = (date: string, days: number): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) + days * 86_400_000).toISOString().slice(0, 10);

interface Wanted {
  productId: number;
  quantity: bigint;
  warehouseId: number | null;
}

/** Something that can be sold now: goods that are there, else a service. */
function wanted(lane: Lane, promised: Map<string, bigint>): Wanted {
  const { chance } = lane;
  const shelf = chance.pick(lane.shelves);
  const quantity = BigInt(chance.between(1, 8)) * (chance.chance(0.2) ? 500_000n : 1_000_000n);
  const held = (warehouseId: number): bigint =>
    (shelf?.in(warehouseId) ?? 0n) - (promised.get(`${shelf?.productId}/${warehouseId}`) ?? 0n);
  const warehouseId = shelf?.having(quantity).find((id) => held(id) >= quantity);
  if (shelf === undefined || warehouseId === undefined || chance.chance(0.25))
    return { productId: chance.pick(lane.serviceIds) ?? 0, quantity, warehouseId: null };
  const key = `${shelf.productId}/${warehouseId}`;
  promised.set(key, (promised.get(key) ?? 0n) + quantity);
  return { productId: shelf.productId, quantity, warehouseId };
}

function lineOf(lane: Lane, { productId, quantity, warehouseId }: Wanted): Data {
  const { chance, market } = lane;
  return {
    productId,
    quantity: number(quantity, QUANTITY_PLACES),
    unitPrice: chance.between(1, 40_000) / (chance.chance(0.1) ? 10_000 : 100),
    taxRateId: chance.pick(market.taxRateIds),
    priceIncludesTax: chance.chance(0.4),
    ...(chance.chance(0.2) ? { discountPercent: chance.between(1, 400) / 10 } : {}),
    ...(warehouseId === null ? {} : { warehouseId }),
  };
}

const sumOf = (rows: unknown, field: string, currency: Currency): bigint =>
  (rows as Data[]).reduce((total, row) => total + units(Number(row[field]), DECIMALS[currency]), 0n);

/** Totals are sums of their parts, and the base totals follow from the day's rate. */
function agreeTotals(lane: Lane, data: Data, currency: Currency): { grand: bigint; base: bigint } {
  const [total, tax] = ['total', 'taxTotal'].map((field) => units(Number(data[field]), DECIMALS[currency]));
  if (total === undefined || tax === undefined) throw new Error('no totals');
  lane.agree('sum of line nets', sumOf(data['lines'], 'net', currency), data['total'], currency);
  lane.agree('sum of line taxes', sumOf(data['lines'], 'tax', currency), data['taxTotal'], currency);
  lane.agree('sum of the tax table', sumOf(data['taxes'], 'tax', currency), data['taxTotal'], currency);
  lane.agree('total and tax', total + tax, data['grandTotal'], currency);
  const base = data['base'] as Data;
  return { grand: total + tax, base: units(Number(base['grandTotal']), DECIMALS[BASE]) };
}

export async function invoice(lane: Lane): Promise<void> {
  const { chance, day } = lane;
  const currency = lane.currency();
  const customerId = chance.pick(lane.customerIds) ?? 0;
  const terms = chance.pick(Object.keys(TERMS)) ?? 'NET30';
  const promised = new Map<string, bigint>();
  const asked = Array.from({ length: chance.between(1, 4) }, () => wanted(lane, promised));
  const json = {
    customerId,
    currencyCode: currency,
    paymentTerms: terms,
    issueDate: day,
    seriesId: chance.pick(lane.market.seriesIds),
    lines: asked.map((line) => lineOf(lane, line)),
  };
  const data = chance.chance(0.15) ? await drafted(lane, json) : await lane.make('/api/invoices', json, 'invoice');
  const { grand, base } = agreeTotals(lane, data, currency);
  lane.agreeRate('rate of the day', lane.rate(currency), data['exchangeRate']);
  const [total, tax] = ['total', 'taxTotal'].map((field) => units(Number(data[field]), DECIMALS[currency]));
  const rate = lane.rate(currency);
  lane.agree('base total', toBase(total ?? 0n, currency, rate) + toBase(tax ?? 0n, currency, rate), number(base, 2));
  const dueDate = addDays(day, TERMS[terms] ?? 0);
  if (data['dueDate'] !== dueDate) throw new Error(`due ${String(data['dueDate'])}, not ${dueDate}`);
  const id = Number(data['id']);
  const item = lane.books.post({
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
  const left = asked.flatMap((line, index): Left[] => leftFor(lane, line, index + 1));
  const uncredited = new Map(asked.map(({ quantity }, index) => [index + 1, quantity]));
  lane.sold.push({ id, item, issueDate: day, left, uncredited, hasCreditNote: false, void: false });
}

/** Keeps a draft, sometimes another that is thrown away, and issues it. */
async function drafted(lane: Lane, json: Data): Promise<Data> {
  const draft = await lane.make('/api/invoices', { ...json, draft: true }, 'draft');
  if (lane.chance.chance(0.3)) {
    const other = await lane.make('/api/invoices', { ...json, draft: true }, 'draft');
    const { status } = await lane.client.send('DELETE', `/api/invoices/${String(other['id'])}`);
    // A second try after a lost answer finds it gone.
    if (status !== 200 && status !== 404) throw new Error(`a draft was not deleted: ${status}`);
  }
  const path = `/api/invoices/${String(draft['id'])}`;
  const reply = await lane.client.post(`${path}/issue`, undefined);
  if (reply.status !== 200) throw new Error(lane.told(`${path}/issue`, json, reply));
  lane.count('invoice');
  return (await lane.client.get(path)).body['data'] as Data;
}

function leftFor(lane: Lane, { productId, quantity, warehouseId }: Wanted, lineId: number): Left[] {
  const shelf = lane.shelves.find((each) => each.productId === productId);
  if (shelf === undefined || warehouseId === null) return [];
  const value = shelf.issue(warehouseId, quantity);
  return [{ lineId, productId, warehouseId, quantity, value, backQuantity: 0n, backValue: 0n }];
}

const locked = (lane: Lane, date: string): boolean =>
  lane.market.lockedThrough !== null && date <= lane.market.lockedThrough;

const settledBy = (lane: Lane, sold: Sold): Settlement[] =>
  lane.settlements.filter(({ debit, reversed }) => debit === sold.item && !reversed);

function takeBackUnits(lane: Lane, sold: Sold, lineId: number, quantity: bigint): void {
  const left = sold.left.find((each) => each.lineId === lineId);
  const shelf = lane.shelves.find((each) => each.productId === left?.productId);
  if (left !== undefined) shelf?.takeBack(left, quantity);
}

/** Voids an invoice, or is told why not. */
export async function voidInvoice(lane: Lane): Promise<boolean> {
  const sold = lane.chance.pick(lane.sold.filter((each) => !each.void));
  if (sold === undefined) return false;
  const path = `/api/invoices/${sold.id}/void`;
  const json = { reason: 'Entered by mistake' };
  const stands = sold.hasCreditNote || settledBy(lane, sold).length > 0;
  if (stands || locked(lane, sold.issueDate)) {
    const reply = await lane.client.act(path, json, 'already_void');
    // The lock is looked at first.
    const code = locked(lane, sold.issueDate) ? 'period_locked' : 'invoice_not_voidable';
    if (codeOf(reply) !== code) throw new Error(`not ${code}: ${lane.told(path, json, reply)}`);
    lane.refused += 1;
    return true;
  }
  const reply = await lane.client.act(path, json, 'already_void');
  if (reply.status !== 200) throw new Error(lane.told(path, json, reply));
  const data = (await lane.client.get(`/api/invoices/${sold.id}`)).body['data'] as Data;
  sold.void = true;
  lane.books.take(sold.item, sold.item.open, String(data['voidedOn']));
  for (const { lineId, quantity } of sold.left) takeBackUnits(lane, sold, lineId, quantity);
  lane.count('void invoice');
  return true;
}

/** Credits some units of some lines, or all that is left. */
export async function creditNote(lane: Lane): Promise<boolean> {
  const { chance, day } = lane;
  const sold = chance.pick(lane.sold.filter((each) => !each.void && [...each.uncredited.values()].some((q) => q > 0n)));
  if (sold === undefined) return false;
  const open = [...sold.uncredited].filter(([, quantity]) => quantity > 0n);
  const whole = chance.chance(0.3);
  const parts = open
    .filter((_, index) => whole || index === 0 || chance.chance(0.5))
    .map(([lineId, quantity]) => ({ lineId, quantity: whole ? quantity : partOfUnits(lane, quantity) }));
  const restock = chance.chance(0.6);
  const lines = parts.map(({ lineId, quantity }) => ({
    invoiceLineId: lineId,
    quantity: number(quantity, QUANTITY_PLACES),
  }));
  const json = { invoiceId: sold.id, reason: 'Returned', restock, issueDate: day, ...(whole ? {} : { lines }) };
  const data = await lane.make('/api/credit-notes', json, 'credit note');
  const { currency } = sold.item;
  const { grand, base } = agreeTotals(lane, data, currency);
  sold.hasCreditNote = true;
  for (const { lineId, quantity } of parts) {
    sold.uncredited.set(lineId, (sold.uncredited.get(lineId) ?? 0n) - quantity);
    if (restock) takeBackUnits(lane, sold, lineId, quantity);
  }
  // What is open of the invoice is lowered first, by what the document says; the rest stays credit.
  const { open: left, openBase } = sold.item;
  const applied = grand < left ? grand : left;
  const relieved = applied === left || base > openBase ? openBase : base;
  const consumed = applied === grand || base < relieved ? base : relieved;
  const { partyId } = sold.item;
  const item = lane.books.post({
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
  const date = later(day, sold.item.date);
  lane.books.take(item, applied, date, consumed);
  lane.books.take(sold.item, applied, date, relieved);
  return true;
}

const partOfUnits = (lane: Lane, quantity: bigint): bigint => {
  const halves = quantity / 500_000n;
  return halves <= 1n ? quantity : 500_000n * BigInt(lane.chance.between(1, Number(halves)));
};

/** Sells more than there is: refused, and nothing changes. */
export async function oversell(lane: Lane): Promise<boolean> {
  const shelf = lane.chance.pick(lane.shelves);
  const warehouseId = lane.chance.pick(lane.market.warehouseIds);
  if (shelf === undefined || warehouseId === undefined) return false;
  const quantity = number(shelf.in(warehouseId) + 1_000_000n, QUANTITY_PLACES);
  const customerId = lane.chance.pick(lane.customerIds);
  const lines = [{ productId: shelf.productId, quantity, warehouseId, unitPrice: 1 }];
  await lane.refuse('/api/invoices', { customerId, issueDate: lane.day, lines }, 'insufficient_stock');
  return true;
}
