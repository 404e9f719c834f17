import type { BusinessClient } from '../client';
import { getData, getRows } from '../client';
import { ExpectedLedger } from '../year/books';
import type { LedgerItem, Side } from '../year/books';
import {
  computeCost,
  computeUnitCost,
  COST_PLACES,
  DECIMALS,
  divideRounded,
  QUANTITY_PLACES,
  toBase,
  toUnits,
} from '../year/money';
import type { Currency } from '../year/money';
import { Shelf } from '../year/shelf';
import { readAll } from './recompute';
import type { ShippedLine } from '../year/shelf';

/**
 * Computes the books of a company with goods and foreign currency from its documents, with the arithmetic of the generated
 * year, which shares no code with the service. For the chart SKR03 and one tax rate of 19 %.
 */

type Row = Record<string, unknown>;

/** What the documents do not state. */
export interface Facts {
  /** Cost per unit of the opening stock, by product, in 10^-COST_PLACES. */
  openingCosts: ReadonlyMap<number, bigint>;
  /** Cost per unit of adjustments that add goods at a stated cost, by adjustment. */
  adjustmentCosts: ReadonlyMap<number, bigint>;
  /** Exchange rate of a day, in 10^-RATE_PLACES. */
  rateOn: (currency: Currency, date: string) => bigint;
}

const ONE = 1_000_000n;

const currencyOf = (row: Row): Currency => row['currencyCode'] as Currency;
const dateOf = (row: Row): string => String(row['date'] ?? row['issueDate']);
const amountOf = (row: Row, field: string): bigint => toUnits(Number(row[field]), DECIMALS[currencyOf(row)]);
const quantityOf = (row: Row): bigint => toUnits(Number(row['quantity']), QUANTITY_PLACES);

/** Net amount, tax and their sum, in the currency of a document and in base currency. */
interface Amounts {
  net: bigint;
  tax: bigint;
  gross: bigint;
  netBase: bigint;
  taxBase: bigint;
  grossBase: bigint;
}

/** Accounts and open items of the company; debits are positive. */
export class GoodsBooks {
  readonly accounts = new Map<string, bigint>();
  readonly ledger = new ExpectedLedger();
  /** Values of the movements by kind and document, such as `invoice:3`. */
  readonly movements = new Map<string, bigint>();
  readonly shelves: Shelf[] = [];

  constructor(private readonly facts: Facts) {}

  /** @param cents debit in the base currency; negative for a credit */
  post(account: string, cents: bigint): void {
    this.accounts.set(account, (this.accounts.get(account) ?? 0n) + cents);
  }

  /** Exchange rate of a document, in 10^-RATE_PLACES. @param date another day than its own */
  getRate(row: Row, date = dateOf(row)): bigint {
    return this.facts.rateOn(currencyOf(row), date);
  }

  /** Net and tax are converted one by one, so that their sum has no rounding of its own. */
  getAmounts(row: Row, rate = this.getRate(row)): Amounts {
    const [net, tax] = [amountOf(row, 'total'), amountOf(row, 'taxTotal')];
    const [netBase, taxBase] = [toBase(net, currencyOf(row), rate), toBase(tax, currencyOf(row), rate)];
    return { net, tax, gross: net + tax, netBase, taxBase, grossBase: netBase + taxBase };
  }

  /** Opens an item for a document of a customer or vendor, dated as the document. */
  open(side: Side, kind: LedgerItem['kind'], row: Row, original: bigint, originalBase: bigint): LedgerItem {
    const [partyId, currency, date] = [Number(row['customerId'] ?? row['vendorId']), currencyOf(row), dateOf(row)];
    const item = { side, kind, id: Number(row['id']), partyId, currency, date, dueDate: date, original, originalBase };
    return this.ledger.post(item);
  }

  /** @throws Error if no document of these kinds has the id */
  find(side: Side, kinds: readonly LedgerItem['kind'][], id: unknown): LedgerItem {
    const item = this.ledger.items.find(
      (each) => each.side === side && kinds.includes(each.kind) && each.id === Number(id),
    );
    if (item === undefined) throw new Error(`there is no ${kinds.join(' or ')} ${String(id)}`);
    return item;
  }

  /** Applies a credit to a document; the difference of their values in base currency is a realised gain or loss. */
  settle(credit: LedgerItem, debit: LedgerItem, amount: bigint, date: string, shares?: bigint): void {
    const consumed = this.ledger.settle(credit, amount, date, shares);
    const relieved = this.ledger.settle(debit, amount, date, shares);
    const gain = debit.side === 'receivable' ? consumed - relieved : relieved - consumed;
    this.post(debit.side === 'receivable' ? '1400' : '1600', gain);
    this.post(gain < 0n ? '2150' : '2660', -gain);
  }
}

const ACCOUNTS: Readonly<Record<string, string>> = {
  opening: '9000',
  invoice: '3950',
  void: '3950',
  restock: '3950',
  adjustment: '3960',
  transfer: '3960',
  receipt: '1792',
  vendor_return: '1792',
};

const findLine = (document: Row, productId: number): Row =>
  (document['lines'] as Row[] | undefined)?.find((line) => line['productId'] === productId) ?? {};

/** Values the movements of a product in the order in which they were posted. */
function valueProduct(books: GoodsBooks, facts: Facts, receipts: readonly Row[], productId: number, rows: Row[]): void {
  const shelf = new Shelf(productId);
  books.shelves.push(shelf);
  const shipped = new Map<number, ShippedLine>();
  const costOf = (kind: string, id: number): { unitCost: bigint; rate: bigint } => {
    if (kind === 'opening') return { unitCost: facts.openingCosts.get(productId) ?? 0n, rate: ONE };
    if (kind === 'adjustment') {
      const average = computeUnitCost(shelf.value, shelf.quantity);
      return { unitCost: facts.adjustmentCosts.get(id) ?? average, rate: ONE };
    }
    const receipt = receipts.find((each) => each['id'] === id) ?? {};
    const { unitCost } = findLine(receipt, productId);
    return { unitCost: toUnits(Number(unitCost), COST_PLACES), rate: books.getRate(receipt) };
  };
  for (const row of rows) {
    const [kind, { id }, warehouseId] = [
      String(row['kind']),
      row['source'] as { id: number },
      Number(row['warehouseId']),
    ];
    const quantity = quantityOf(row);
    const before = shelf.value;
    if (kind === 'void' || kind === 'restock') {
      const left = shipped.get(id);
      if (left === undefined) throw new Error(`invoice ${id} returns goods that it did not issue`);
      shelf.restock(left, quantity);
    } else if (quantity < 0n) {
      const value = shelf.issue(warehouseId, -quantity);
      if (kind === 'invoice')
        shipped.set(id, {
          lineId: 1,
          productId,
          warehouseId,
          quantity: -quantity,
          value,
          backQuantity: 0n,
          backValue: 0n,
        });
    } else {
      const { unitCost, rate } = costOf(kind, id);
      shelf.receive(warehouseId, quantity, computeCost(quantity, unitCost, rate));
    }
    const value = shelf.value - before;
    books.post('3980', value);
    books.post(ACCOUNTS[kind] ?? '', -value);
    const key = `${kind}:${id}`;
    books.movements.set(key, (books.movements.get(key) ?? 0n) + value);
  }
}

function postSales(books: GoodsBooks, invoices: readonly Row[], notes: readonly Row[]): void {
  for (const invoice of invoices) {
    const { netBase, taxBase, gross, grossBase } = books.getAmounts(invoice);
    const sign = typeof invoice['voidedOn'] === 'string' ? 0n : 1n;
    books.post('1400', sign * grossBase);
    books.post('8400', sign * -netBase);
    books.post('1776', sign * -taxBase);
    const item = books.open('receivable', 'invoice', invoice, gross, grossBase);
    if (sign === 0n) books.ledger.settle(item, gross, dateOf(invoice));
  }
  for (const note of notes) {
    const invoice = invoices.find(({ id }) => id === note['invoiceId']) ?? {};
    const { netBase, taxBase, gross, grossBase } = books.getAmounts(note, books.getRate(invoice));
    books.post('1400', -grossBase);
    books.post('8400', netBase);
    books.post('1776', taxBase);
    const credit = books.open('receivable', 'credit_note', note, gross, grossBase);
    // A credit note takes its own value off its invoice.
    books.settle(credit, books.find('receivable', ['invoice'], note['invoiceId']), gross, dateOf(note), grossBase);
  }
}

/** A receipt and what was returned of it before the bill. @returns what its bill replaces */
function postReceipt(books: GoodsBooks, receipt: Row, returns: readonly Row[]): { net: bigint; netBase: bigint } {
  const received = books.getAmounts(receipt);
  const value = books.movements.get(`receipt:${String(receipt['id'])}`) ?? 0n;
  books.post('1792', value);
  books.post('3200', received.netBase - value);
  books.post('1548', received.taxBase);
  books.post('1610', -received.grossBase);
  const item = books.open('payable', 'receipt', receipt, received.gross, received.grossBase);
  let { net, netBase, taxBase } = received;
  let returnedTax = 0n;
  for (const returned of returns) {
    const own = books.getAmounts(returned, books.getRate(receipt));
    const cost = -(books.movements.get(`vendor_return:${String(returned['id'])}`) ?? 0n);
    const base = books.ledger.settle(item, own.gross, dateOf(returned));
    returnedTax += own.tax;
    // Rounded cumulatively, so that returns of everything take back the whole tax.
    const ownTaxBase = toBase(returnedTax, currencyOf(receipt), books.getRate(receipt)) - (received.taxBase - taxBase);
    books.post('1792', -cost);
    books.post('3200', -(base - ownTaxBase - cost));
    books.post('1548', -ownTaxBase);
    books.post('1610', base);
    net -= own.net;
    netBase -= base - ownTaxBase;
    taxBase -= ownTaxBase;
  }
  if (receipt['billId'] === null) return { net, netBase };
  books.ledger.settle(item, item.open, dateOf(receipt));
  books.post('1610', netBase + taxBase);
  books.post('1548', -taxBase);
  books.post('1792', -netBase);
  return { net, netBase };
}

/** What a bill replaces of its receipts, the exchange difference to them, and the net amounts of returns since. */
interface BilledGoods {
  net: bigint;
  exchange: bigint;
  returned: bigint;
}

/** The part of the exchange difference that belongs to what was returned, rounded cumulatively. */
function takeExchange(goods: BilledGoods, net: bigint): bigint {
  const share = (): bigint => divideRounded(goods.exchange * goods.returned, goods.net);
  const before = share();
  goods.returned += net;
  return share() - before;
}

function postBill(books: GoodsBooks, bill: Row, received: readonly { net: bigint; netBase: bigint }[]): BilledGoods {
  const { gross, grossBase, netBase, taxBase } = books.getAmounts(bill);
  const [net, base] = received.reduce(([one, other], each) => [one + each.net, other + each.netBase], [0n, 0n]);
  const exchange = toBase(net, currencyOf(bill), books.getRate(bill)) - base;
  books.post('1600', -grossBase);
  books.post('1576', taxBase);
  books.post('1792', base);
  books.post('3200', netBase - base - exchange);
  books.post(exchange < 0n ? '2660' : '2150', exchange);
  books.open('payable', 'bill', bill, gross, grossBase);
  return { net, exchange, returned: 0n };
}

/** The credit note of a return at the cost of the receipt after the bill, at the rate of the bill, which it reduces. */
function postReturnCredit(books: GoodsBooks, credit: Row, returned: Row, bill: Row, goods: BilledGoods): void {
  const { net, gross, grossBase, netBase, taxBase } = books.getAmounts(credit, books.getRate(bill));
  const exchange = takeExchange(goods, net);
  const cost = -(books.movements.get(`vendor_return:${String(returned['id'])}`) ?? 0n);
  books.post('1600', grossBase);
  books.post('1576', -taxBase);
  books.post('1792', -cost);
  books.post('3200', -(netBase - cost - exchange));
  books.post(goods.exchange < 0n ? '2660' : '2150', -exchange);
  const item = books.open('payable', 'credit_note', credit, gross, grossBase);
  books.settle(item, books.find('payable', ['bill'], bill['id']), gross, dateOf(credit), grossBase);
}

function postPayments(books: GoodsBooks, side: Side, payments: readonly Row[]): void {
  for (const payment of payments) {
    const amount = amountOf(payment, 'amount');
    const base = toBase(amount, currencyOf(payment), books.getRate(payment));
    const sign = side === 'receivable' ? 1n : -1n;
    books.post('1200', sign * base);
    books.post(side === 'receivable' ? '1400' : '1600', -sign * base);
    const item = books.open(side, 'payment', payment, amount, base);
    for (const allocation of payment['allocations'] as Row[]) {
      const debit = books.find(side, ['invoice', 'bill'], allocation['documentId']);
      const part = toUnits(Number(allocation['amount']), DECIMALS[currencyOf(payment)]);
      books.settle(item, debit, part, dateOf(payment));
    }
  }
}

function postPurchases(books: GoodsBooks, payables: readonly Row[], returns: readonly Row[]): void {
  const ofType = (type: string): Row[] => payables.filter((each) => each['type'] === type);
  const received = new Map(
    ofType('receipt').map((receipt) => {
      const own = returns.filter((each) => each['receiptId'] === receipt['id'] && each['creditNoteId'] === null);
      return [receipt['id'], postReceipt(books, receipt, own)];
    }),
  );
  const billed = new Map(
    ofType('bill').map((bill) => {
      const goods = (bill['receiptIds'] as number[]).flatMap((id) => received.get(id) ?? []);
      return [bill['id'], postBill(books, bill, goods)];
    }),
  );
  for (const credit of ofType('credit_note')) {
    const returned = returns.find((each) => each['creditNoteId'] === credit['id']) ?? {};
    const receipt = payables.find(({ id }) => id === returned['receiptId']);
    const bill = payables.find(({ id }) => id === receipt?.['billId']) ?? {};
    const goods = billed.get(bill['id']);
    if (goods === undefined) throw new Error(`no bill charges the goods of credit note ${String(credit['id'])}`);
    postReturnCredit(books, credit, returned, bill, goods);
  }
}

/** Reads the documents of a company and computes its books from them. */
export async function recomputeGoodsBooks(client: BusinessClient, facts: Facts): Promise<GoodsBooks> {
  const books = new GoodsBooks(facts);
  const byId = (one: Row, other: Row): number => Number(one['id']) - Number(other['id']);
  const read = async (path: string): Promise<Row[]> => (await readAll(client, path)).sort(byId);
  const payables = await read('/api/payables?state=all');
  const returns = await read('/api/vendor-returns');
  // Credit notes are credits, and not in the list of open amounts.
  for (const { creditNoteId } of returns)
    if (creditNoteId !== null) payables.push(getData(await client.get(`/api/payables/${Number(creditNoteId)}`)));
  const receipts = payables.filter((each) => each['type'] === 'receipt');
  for (const productId of facts.openingCosts.keys()) {
    const rows = getRows(await client.get(`/api/inventory/ledger?productId=${productId}&pageSize=100`));
    valueProduct(books, facts, receipts, productId, rows);
  }
  postSales(books, await read('/api/invoices'), await read('/api/credit-notes'));
  postPurchases(books, payables, returns);
  postPayments(books, 'receivable', await read('/api/receivables/payments'));
  postPayments(books, 'payable', await read('/api/payables/payments'));
  return books;
}
