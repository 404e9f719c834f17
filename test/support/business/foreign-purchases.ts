import { addProduct, createBusinessClient, getCreatedId, getData } from './client';
import type { BusinessClient } from './client';

/** A line of an order, receipt and bill. */
export interface PurchasedLine {
  units: number;
  cents: number;
  /** Cost on the bill. @default that of the receipt */
  billedCents?: number;
  /** Position of its tax rate. */
  rate: number;
}

/** What is not zero: accounts, tax rates with their components, and what is open of vendors. */
export interface Remains {
  accounts: [name: string, closing: number][];
  rates: VatRow[];
  open: number;
}

interface VatRow {
  net: number;
  tax: number;
  components: VatRow[];
}

const COMPONENTS = [
  { name: 'State', percent: 5 },
  { name: 'County', percent: 9.975 },
];

/** A rate of 19 %, one of 7 %, one of two taxes, and one whose tax the buyer is liable for. */
const TAX_RATES = [
  { name: 'Standard', category: 'S', percent: 19 },
  { name: 'Reduced', category: 'S', percent: 7 },
  { name: 'Two taxes', category: 'S', percent: 14.975, components: COMPONENTS },
  { name: 'Buyer liable', category: 'AE', percent: 0, exemptionReason: 'Buyer liable' },
];

/** Everything of a company that does not end at zero. */
export async function readRemains(client: BusinessClient): Promise<Remains> {
  const { accounts } = getData(await client.get('/api/reports/trial-balance')) as {
    accounts: { name: string; closing: number }[];
  };
  const vat = getData(await client.get('/api/reports/vat?dateFrom=2025-01-01&dateTo=2099-12-31&period=all'));
  const rows = (vat['periods'] as { rows: VatRow[] }[]).flatMap((period) => period.rows);
  const parts = rows.flatMap((row) => [row, ...row.components]);
  const aging = getData(await client.get('/api/payables/aging'))['total'] as { net: number };
  return {
    accounts: accounts.filter(({ closing }) => closing !== 0).map(({ name, closing }) => [name, closing]),
    rates: parts.filter(({ net, tax }) => net !== 0 || tax !== 0),
    open: aging.net,
  };
}

/** The ledgers of vendors and stock of a company equal the journal, which is balanced. */
export async function expectNoViolations(client: BusinessClient): Promise<void> {
  const { violations, invariants } = getData(await client.post('/api/admin/invariants', undefined)) as {
    violations: number;
    invariants: { violations: number }[];
  };
  expect([violations, invariants.filter((each) => each.violations > 0)]).toEqual([0, []]);
}

/** A company that buys goods in US dollars; each day of 2025 has an exchange rate of its own. */
export class ForeignPurchases {
  private day = new Date('2025-01-01T00:00:00Z').getTime();

  private constructor(
    readonly client: BusinessClient,
    readonly vendorId: number,
    private readonly goods: readonly { taxRateId: number; productId: number }[],
  ) {}

  static async create(name: string): Promise<ForeignPurchases> {
    const client = await createBusinessClient(name);
    await client.put('/api/config/accounting', { preset: 'skr03' });
    await client.put('/api/config/company', { writeOffLimit: 1000 });
    const vendorId = getCreatedId(await client.post('/api/vendors', { name: 'Lamp Works Ltd' }));
    const goods: { taxRateId: number; productId: number }[] = [];
    for (const rate of TAX_RATES) {
      const taxRateId = getCreatedId(await client.post('/api/config/tax-rates', rate));
      goods.push({ taxRateId, productId: await addProduct(client, { taxRateId }) });
    }
    return new ForeignPurchases(client, vendorId, goods);
  }

  /** The next day, with its exchange rate. */
  async nextDay(rate?: number): Promise<string> {
    const date = new Date((this.day += 86_400_000)).toISOString().slice(0, 10);
    if (rate === undefined) return date;
    const response = await this.client.post('/api/config/exchange-rates', { currencyCode: 'USD', date, rate });
    expect(response.status).toBe(201);
    return date;
  }

  private toLines(lines: readonly PurchasedLine[]): object[] {
    return lines.map(({ units, cents, rate }) => ({ ...this.goods[rate], quantity: units, unitCost: cents / 100 }));
  }

  /** Orders goods. @returns the id of the order */
  async order(lines: readonly PurchasedLine[], date: string): Promise<number> {
    const order = { vendorId: this.vendorId, lines: this.toLines(lines), currencyCode: 'USD', orderDate: date };
    return getCreatedId(await this.client.post('/api/purchase-orders', order));
  }

  /** Receives goods of an order. @param units of each line; all that is left by default @returns the id of the receipt */
  async receiveOrder(orderId: number, date: string, units?: readonly number[]): Promise<number> {
    const lines = units?.map((quantity, index) => ({ lineId: index + 1, quantity }));
    const received = await this.client.post(`/api/purchase-orders/${orderId}/receive`, { date, lines });
    expect(received.status).toBe(201);
    return (getData(received)['receipt'] as { id: number }).id;
  }

  /** Orders and receives goods. @returns the id of the receipt */
  async receive(lines: readonly PurchasedLine[], date: string): Promise<number> {
    return this.receiveOrder(await this.order(lines, date), date);
  }

  /** Records the bill of receipts. @returns its id */
  async bill(lines: readonly PurchasedLine[], receiptIds: readonly number[], date: string): Promise<number> {
    const fields = { vendorId: this.vendorId, number: `B-${date}`, date, currencyCode: 'USD' };
    const billed = lines.map((line) => ({ ...line, cents: line.billedCents ?? line.cents }));
    const bill = { ...fields, receiptIds, lines: this.toLines(billed) };
    return getCreatedId(await this.client.post('/api/payables', bill));
  }

  /** Voids a bill or credit note. @param date today by default */
  async voidDocument(id: number, date?: string): Promise<void> {
    const voided = await this.client.post(`/api/payables/${id}/void`, { reason: 'Recorded wrongly', date });
    expect(voided.status).toBe(200);
  }

  /** Returns goods of a receipt. @param units of each line; all that is left by default */
  async giveBack(receiptId: number, units?: readonly number[]): Promise<void> {
    const lines = units?.flatMap((quantity, index) => (quantity > 0 ? [{ lineId: index + 1, quantity }] : []));
    const body = { receiptId, reason: 'Broken', date: await this.nextDay(), lines };
    expect((await this.client.post('/api/vendor-returns', body)).status).toBe(201);
  }

  /** What is open of a bill or credit note. */
  async readOpen(id: number): Promise<number> {
    return Number(getData(await this.client.get(`/api/payables/${id}`))['open']);
  }

  /** Everything that does not end at zero. */
  readRemains(): Promise<Remains> {
    return readRemains(this.client);
  }

  /** The ledgers of vendors and stock equal the journal, which is balanced. */
  expectNoViolations(): Promise<void> {
    return expectNoViolations(this.client);
  }
}

/** The remains of purchases that were undone completely. */
export const NOTHING_LEFT: Remains = { accounts: [], rates: [], open: 0 };
