import type { BusinessClient } from '../client';
import { getData, getRows } from '../client';

/**
 * Computes the books of a company from the documents that the API returns, in whole cents and without any code of the
 * service, so that a fault in one of them is detected. For companies without goods, in one currency, with the chart SKR03.
 */

type Row = Record<string, unknown>;
interface Tax {
  percent: number;
  net: number;
  tax: number;
}

const toCents = (amount: unknown): bigint => BigInt(Math.round(Number(amount) * 100));

const REVENUE: Readonly<Record<number, string>> = { 19: '8400', 7: '8300' };
const OUTPUT_TAX: Readonly<Record<number, string>> = { 19: '1776', 7: '1771' };
const INPUT_TAX: Readonly<Record<number, string>> = { 19: '1576', 7: '1571' };
const DISCOUNTS: Readonly<Record<number, string>> = { 19: '8736', 7: '8731' };

/** Rounds half up; for positive numbers. */
const divide = (a: bigint, b: bigint): bigint => (2n * a + b) / (2n * b);

/** Divides cents over parts: whole cents first, then one to each of the largest remainders. */
function spread(cents: bigint, parts: readonly bigint[]): bigint[] {
  const whole = parts.reduce((total, part) => total + part, 0n);
  const shares = parts.map((part, index) => {
    const product = cents * part;
    return { index, share: product / whole, remainder: product % whole };
  });
  let left = cents - shares.reduce((total, { share }) => total + share, 0n);
  const byRemainder = shares.toSorted((a, b) => Number(b.remainder - a.remainder) || a.index - b.index);
  for (const each of byRemainder) {
    if (left === 0n) break;
    each.share += 1n;
    left -= 1n;
  }
  return shares.map(({ share }) => share);
}

/** The balances of accounts, and the VAT by month, direction and percentage; debits are positive. */
export class Books {
  readonly accounts = new Map<string, bigint>();
  readonly vat = new Map<string, bigint>();

  private post(account: string, cents: bigint): void {
    this.accounts.set(account, (this.accounts.get(account) ?? 0n) + cents);
  }

  private postTax(date: string, direction: 'output' | 'input', percent: number, part: 'net' | 'tax', cents: bigint) {
    const key = `${date.slice(0, 7)} ${direction} ${percent} ${part}`;
    this.vat.set(key, (this.vat.get(key) ?? 0n) + cents);
  }

  /** @param sign 1 for an invoice, -1 for what takes it back */
  private sell(date: string, taxes: readonly Tax[], sign: bigint, getAccount: (percent: number) => string): void {
    for (const { percent, net, tax } of taxes) {
      this.post('1400', sign * (toCents(net) + toCents(tax)));
      this.post(getAccount(percent), -sign * toCents(net));
      this.post(OUTPUT_TAX[percent] ?? '', -sign * toCents(tax));
      this.postTax(date, 'output', percent, 'net', sign * toCents(net));
      this.postTax(date, 'output', percent, 'tax', sign * toCents(tax));
    }
  }

  /** Takes an amount with tax off what is left of an invoice. */
  reduce(
    date: string,
    left: readonly Tax[],
    amount: bigint,
    sign: bigint,
    getAccount: (percent: number) => string,
  ): void {
    const gross = left.map(({ net, tax }) => toCents(net) + toCents(tax));
    spread(amount, gross).forEach((share, index) => {
      const row = left[index];
      const whole = gross[index];
      if (row === undefined || whole === undefined || share === 0n) return;
      const tax = divide(share * toCents(row.tax), whole);
      const net = share - tax;
      this.sell(date, [{ percent: row.percent, net: Number(net) / 100, tax: Number(tax) / 100 }], -sign, getAccount);
    });
  }

  /** Posts an invoice and its void. A deposit invoice is no revenue; a final invoice deducts those that were paid. */
  addInvoice(invoice: Row): void {
    const date = String(invoice['issueDate']);
    const taxes = invoice['taxes'] as Tax[];
    if (invoice['deposit'] === true) {
      this.requestDeposit(taxes, 1n);
      if (typeof invoice['voidedOn'] === 'string') this.requestDeposit(taxes, -1n);
      return;
    }
    const getAccount = (percent: number) => REVENUE[percent] ?? '';
    this.sell(date, taxes, 1n, getAccount);
    const { deposits = [] } = (invoice['prepaid'] ?? {}) as { deposits?: Tax[] };
    const percent = taxes[0]?.percent ?? 0;
    const deducted = deposits.map(({ net, tax }) => ({ percent, net, tax }));
    this.sell(date, deducted, -1n, () => '1710');
    if (typeof invoice['voidedOn'] !== 'string') return;
    this.sell(invoice['voidedOn'], taxes, -1n, getAccount);
    this.sell(invoice['voidedOn'], deducted, 1n, () => '1710');
  }

  /** The tax of a deposit is not due when it is requested. */
  private requestDeposit(taxes: readonly Tax[], sign: bigint): void {
    for (const { net, tax } of taxes) {
      this.post('1400', sign * (toCents(net) + toCents(tax)));
      this.post('1710', -sign * toCents(net));
      this.post('1760', -sign * toCents(tax));
    }
  }

  /** The tax of a part of a deposit at one rate is due on the day on which it is received. */
  receiveDeposit(date: string, taxes: readonly Tax[], received: bigint, sign: bigint): void {
    const row = taxes[0];
    if (row === undefined) return;
    const gross = toCents(row.net) + toCents(row.tax);
    const tax = divide(received * toCents(row.tax), gross);
    this.post('1760', sign * tax);
    this.post(OUTPUT_TAX[row.percent] ?? '', -sign * tax);
    this.postTax(date, 'output', row.percent, 'net', sign * (received - tax));
    this.postTax(date, 'output', row.percent, 'tax', sign * tax);
  }

  /** Posts a credit note against the revenue of its rates. */
  addCreditNote(note: Row): void {
    this.sell(String(note['issueDate']), note['taxes'] as Tax[], -1n, (percent) => REVENUE[percent] ?? '');
  }

  /** Posts a payment or refund to cash or bank; a void one leaves nothing. */
  addPayment(payment: Row, side: 'receivable' | 'payable'): void {
    const isIncoming = (side === 'receivable') === (payment['type'] === 'payment');
    const cents = toCents(payment['amount']) * (isIncoming ? 1n : -1n) * (payment['status'] === 'void' ? 0n : 1n);
    this.post(payment['method'] === 'cash' ? '1000' : '1200', cents);
    this.post(side === 'receivable' ? '1400' : '1600', -cents);
  }

  /** Posts a bill to purchases and input tax. @param taxes net and tax by rate, which bills do not state */
  addBill(bill: Row, taxes: readonly Tax[]): void {
    for (const { percent, net, tax } of taxes) {
      this.post('1600', -toCents(net) - toCents(tax));
      this.post('3200', toCents(net));
      this.post(INPUT_TAX[percent] ?? '', toCents(tax));
      this.postTax(String(bill['date']), 'input', percent, 'net', toCents(net));
      this.postTax(String(bill['date']), 'input', percent, 'tax', toCents(tax));
    }
  }

  /** A written-off rest of an overpayment, which has no tax. */
  addGain(cents: bigint): void {
    this.post('1400', cents);
    this.post('2709', -cents);
  }
}

/** Every record of a list, as its own route returns it. */
export async function readAll(client: BusinessClient, path: string): Promise<Row[]> {
  const rows = getRows(await client.get(`${path}${path.includes('?') ? '&' : '?'}pageSize=100`));
  return Promise.all(
    rows.map(async ({ id }) => getData(await client.get(`${path.split('?')[0] ?? ''}/${String(id)}`))),
  );
}

/** What an invoice charges by rate on a day, less its credit notes until then and the deposits that it deducts. */
function listLeft(invoice: Row, notes: readonly Row[], date: string): Tax[] {
  const { deposits = [] } = (invoice['prepaid'] ?? {}) as { deposits?: Tax[] };
  const taken = notes
    .filter((note) => note['invoiceId'] === invoice['id'] && String(note['issueDate']) <= date)
    .flatMap((note) => note['taxes'] as Tax[]);
  const rows = (invoice['taxes'] as Tax[]).map((row, index) => {
    const same = [
      ...taken.filter(({ percent }) => percent === row.percent),
      ...(index === 0 ? deposits.map(({ net, tax }) => ({ percent: row.percent, net, tax })) : []),
    ];
    const subtract = (part: 'net' | 'tax') =>
      Number(same.reduce((left, each) => left - toCents(each[part]), toCents(row[part]))) / 100;
    return { percent: row.percent, net: subtract('net'), tax: subtract('tax') };
  });
  return rows.filter(({ net, tax }) => net + tax > 0);
}

/**
 * Reads the documents of a company and computes its books from them.
 * @param percents percentages of the tax rates, by id
 */
export async function recomputeBooks(client: BusinessClient, percents: ReadonlyMap<number, number>): Promise<Books> {
  const books = new Books();
  const invoices = await readAll(client, '/api/invoices');
  const notes = await readAll(client, '/api/credit-notes');
  const payments = await readAll(client, '/api/receivables/payments');
  for (const invoice of invoices) books.addInvoice(invoice);
  for (const note of notes) books.addCreditNote(note);
  for (const payment of payments) books.addPayment(payment, 'receivable');
  for (const { allocations } of payments as { allocations: Row[] }[])
    for (const { documentId, date, amount } of allocations) {
      const deposit = invoices.find(({ id, deposit: isDeposit }) => id === documentId && isDeposit === true);
      if (deposit !== undefined) books.receiveDeposit(String(date), deposit['taxes'] as Tax[], toCents(amount), 1n);
    }
  const leftOf = (id: unknown, date: string): Tax[] => {
    const invoice = invoices.find((each) => each['id'] === id);
    return invoice === undefined ? [] : listLeft(invoice, notes, date);
  };
  for (const { allocations } of payments as { allocations: Row[] }[])
    for (const { documentId, date, discount } of allocations)
      if (discount !== 0)
        books.reduce(
          String(date),
          leftOf(documentId, String(date)),
          toCents(discount),
          1n,
          (percent) => DISCOUNTS[percent] ?? '',
        );
  for (const writeOff of await readAll(client, '/api/receivables/write-offs')) {
    const { documentId, date, amount, voidedOn } = writeOff;
    if (documentId === null && voidedOn === null) books.addGain(toCents(amount));
    if (documentId === null) continue;
    const left = leftOf(documentId, String(date));
    books.reduce(String(date), left, toCents(amount), 1n, () => '2400');
    if (typeof voidedOn === 'string') books.reduce(voidedOn, left, toCents(amount), -1n, () => '2400');
  }
  for (const bill of await readAll(client, '/api/payables?state=all')) {
    const lines = bill['lines'] as { taxRateId: number; net: number; tax: number }[];
    books.addBill(
      bill,
      lines.map(({ taxRateId, net, tax }) => ({ percent: percents.get(taxRateId) ?? 0, net, tax })),
    );
  }
  for (const payment of await readAll(client, '/api/payables/payments')) books.addPayment(payment, 'payable');
  return books;
}
