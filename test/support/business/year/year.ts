import { call } from '../../client';
import type { SharedStack } from '../../shared-stack';
import { FaultyClient, getReplyId } from './faulty-client';
import type { ReplyData } from './faulty-client';
import { payWithDiscount, voidWriteOff, WRITE_OFF_LIMIT, writeOffRest } from './deduction-moves';
import { sellWithDeposit } from './deposit-moves';
import { Lane } from './lane';
import type { Market } from './lane';
import {
  SeededRandom,
  computeCost,
  COST_PLACES,
  CURRENCIES,
  unitsToNumber,
  QUANTITY_PLACES,
  RATE_PLACES,
} from './money';
import type { Currency } from './money';
import { applyCredit, overpay, pay, payLocked, refund, reverseAllocation, voidPayment } from './money-moves';
import { bill, reuseBillNumber, order, receive, creditVendor } from './purchases';
import { Shelf } from './shelf';
import { postCreditNote, postInvoice, oversell, voidInvoice } from './sales';
import { continueOrder, orderGoods } from './sales-orders';
import { adjust, transfer } from './stock-moves';
import { returnToVendor } from './vendor-returns';
import { voidBill } from './vendor-voids';
import { DAY_MS } from '../../../../domain/durations';

const LANES = 4;
const DAYS = 365;
const CUSTOMERS = 4;
const VENDORS = 2;
const PRODUCTS = 5;
/** Days between two exchange rates of a currency. */
const RATE_DAYS = 6;
const OPENING_QUANTITY = 60;

/** Events with their frequency in percent. An event that is not possible at the time becomes an invoice. */
const EVENTS: readonly [number, (lane: Lane) => Promise<boolean>][] = [
  [26, (lane) => postInvoice(lane).then(() => true)],
  [15, (lane) => pay(lane, 'receivable')],
  [5, (lane) => applyCredit(lane, 'receivable')],
  [2, (lane) => refund(lane, 'receivable')],
  [3, (lane) => reverseAllocation(lane, 'receivable')],
  [3, (lane) => voidPayment(lane, 'receivable')],
  [6, payWithDiscount],
  [3, sellWithDeposit],
  [3, writeOffRest],
  [1, voidWriteOff],
  [8, postCreditNote],
  [4, voidInvoice],
  [5, adjust],
  [3, transfer],
  [5, orderGoods],
  [6, continueOrder],
  [3, returnToVendor],
  [4, order],
  [6, receive],
  [4, bill],
  [2, creditVendor],
  [2, voidBill],
  [4, (lane) => pay(lane, 'payable')],
  [1, (lane) => applyCredit(lane, 'payable')],
  [1, (lane) => refund(lane, 'payable')],
  [1, (lane) => reverseAllocation(lane, 'payable')],
  [1, (lane) => voidPayment(lane, 'payable')],
  // Requests that must be rejected.
  [1, oversell],
  [1, (lane) => overpay(lane, 'receivable')],
  [1, payLocked],
  [0.5, reuseBillNumber],
];
const TOTAL_WEIGHT = EVENTS.reduce((total, [weight]) => total + weight, 0);

async function runRandomEvent(lane: Lane): Promise<void> {
  let at = lane.chance.next() * TOTAL_WEIGHT;
  const [, event] = EVENTS.find(([weight]) => (at -= weight) < 0) ?? [];
  if (event === undefined || !(await event(lane))) await postInvoice(lane);
}

const getDay = (start: number, index: number): string => new Date(start + index * DAY_MS).toISOString().slice(0, 10);

export interface YearOptions {
  stack: SharedStack;
  documents: number;
  seed: number;
  /** Processes to kill, spread evenly over the year. */
  kills: readonly string[];
}

/** A company whose branches trade for a year, with injected faults. */
export class Year {
  readonly days: string[];
  readonly lanes: Lane[] = [];
  readonly killedRoles: string[] = [];
  private readonly start: number;
  private readonly chance: SeededRandom;
  private readonly rates = new Map<string, bigint>();
  private readonly market: Market;
  private token = '';

  constructor(private readonly options: YearOptions) {
    // The last day is yesterday, so that a run over midnight does not post into the future.
    this.start = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS;
    this.days = Array.from({ length: DAYS }, (_, index) => getDay(this.start, index));
    this.chance = new SeededRandom(options.seed);
    this.market = {
      rateOn: (currency, date) => this.rateOn(currency, date),
      taxRateIds: [],
      warehouseIds: [],
      seriesIds: [],
      lockedThrough: null,
    };
  }

  /** Documents of all branches. */
  countDocuments(): number {
    return this.lanes.reduce((sum, lane) => sum + [...lane.documentCounts.values()].reduce((a, b) => a + b, 0), 0);
  }

  private rateOn(currency: Currency, date: string): bigint {
    if (currency === 'EUR') return 1_000_000n;
    const index = Math.round((Date.parse(`${date}T00:00:00Z`) - this.start) / DAY_MS);
    return this.rates.get(`${currency}/${Math.floor(index / RATE_DAYS)}`) ?? 0n;
  }

  private createClient(name: string): FaultyClient {
    return new FaultyClient(
      this.options.stack,
      this.token,
      name,
      new SeededRandom(this.options.seed + name.length * 7919),
    );
  }

  private async createRecord(client: FaultyClient, path: string, json: ReplyData): Promise<number> {
    const reply = await client.send('POST', path, json);
    if (reply.status !== 201) throw new Error(`${path} returned ${reply.status}: ${JSON.stringify(reply.body)}`);
    return Number(getReplyId(reply));
  }

  private async setRates(client: FaultyClient): Promise<void> {
    const levels: Record<Currency, number> = { EUR: 1, USD: 0.91, JPY: 0.0062, KWD: 2.98 };
    for (const currency of CURRENCIES.filter((each) => each !== 'EUR'))
      for (let index = 0; index * RATE_DAYS < DAYS; index += 1) {
        levels[currency] *= 0.98 + this.chance.next() * 0.04;
        const rate = BigInt(Math.round(levels[currency] * 10 ** RATE_PLACES));
        this.rates.set(`${currency}/${index}`, rate);
        const json = {
          currencyCode: currency,
          date: this.days[index * RATE_DAYS],
          rate: unitsToNumber(rate, RATE_PLACES),
        };
        await this.createRecord(client, '/api/config/exchange-rates', json);
      }
  }

  private async openLane(index: number): Promise<Lane> {
    const client = this.createClient(`lane${'x'.repeat(index)}`);
    const lane = new Lane(index, this.market, client, new SeededRandom(this.options.seed * 31 + index));
    const listNames = (what: string, count: number) =>
      Array.from({ length: count }, (_, each) => `${what} ${index}.${each}`);
    for (const name of listNames('Customer', CUSTOMERS))
      lane.customerIds.push(await this.createRecord(client, '/api/customers', { name }));
    for (const name of listNames('Vendor', VENDORS))
      lane.vendorIds.push(await this.createRecord(client, '/api/vendors', { name }));
    lane.serviceIds.push(
      await this.createRecord(client, '/api/products', { name: `Service ${index}`, type: 'service', price: 50 }),
    );
    for (const name of listNames('Goods', PRODUCTS)) {
      const cost = BigInt(lane.chance.between(500, 90_000)) * 1000n;
      const initialStock = { quantity: OPENING_QUANTITY, unitCost: unitsToNumber(cost, COST_PLACES) };
      const productId = await this.createRecord(client, '/api/products', { name, price: 20, initialStock });
      const quantity = BigInt(OPENING_QUANTITY) * 10n ** BigInt(QUANTITY_PLACES);
      const shelf = new Shelf(productId);
      shelf.receive(this.market.warehouseIds[0] ?? 1, quantity, computeCost(quantity, cost, 1_000_000n));
      lane.shelves.push(shelf);
    }
    return lane;
  }

  /** Creates customers, vendors, products and settings. */
  async prepare(): Promise<void> {
    const run = this.options.stack.run();
    const login = await call('POST', '/api/auth/login', { api: run.api, json: run.admin });
    this.token = (login.body as { data: { token: string } }).data.token;
    const client = this.createClient('head office');
    const company = (await client.get('/api/config/company')).body['data'] as Record<string, number>;
    const limit = await client.send('PUT', '/api/config/company', { writeOffLimit: unitsToNumber(WRITE_OFF_LIMIT, 2) });
    if (limit.status !== 200) throw new Error(`the company returned ${limit.status}: ${JSON.stringify(limit.body)}`);
    const east = await this.createRecord(client, '/api/inventory/warehouses', { code: 'YEAR', name: 'East' });
    const rate = (name: string, percent: number, more: ReplyData = {}) =>
      this.createRecord(client, '/api/config/tax-rates', { name, percent, ...more });
    const taxes = [company['defaultTaxRateId'] ?? 1, await rate('Reduced', 7), await rate('Higher', 21.5)];
    const series = await this.createRecord(client, '/api/config/document-series', {
      documentType: 'invoice',
      prefix: 'YR',
    });
    Object.assign(this.market, {
      taxRateIds: [...taxes, await rate('None', 0, { category: 'Z' })],
      warehouseIds: [company['defaultWarehouseId'] ?? 1, east],
      seriesIds: [company['defaultSeriesId'] ?? 1, series],
    });
    await this.setRates(client);
    for (let index = 0; index < LANES; index += 1) this.lanes.push(await this.openLane(index));
  }

  /** Locks a past month from time to time. */
  private async lockPeriod(day: string, index: number): Promise<void> {
    if (index < 60 || index % 45 !== 0) return;
    const lockedThrough = getDay(Date.parse(`${day}T00:00:00Z`), -40);
    const reply = await this.createClient('auditor').send('PUT', '/api/config/period-lock', { lockedThrough });
    if (reply.status !== 200) throw new Error(`period lock returned ${reply.status}: ${JSON.stringify(reply.body)}`);
    this.market.lockedThrough = lockedThrough;
  }

  private async kill(role: string): Promise<void> {
    this.options.stack.kill(role);
    this.killedRoles.push(role);
    await this.options.stack.waitUntilReady();
  }

  /** Runs every day: the branches trade concurrently while processes are killed. */
  async trade(): Promise<void> {
    const { documents, kills } = this.options;
    const perDay = documents / DAYS / LANES;
    let killing: Promise<void> = Promise.resolve();
    for (const [index, day] of this.days.entries()) {
      await this.lockPeriod(day, index);
      const victim = kills.find((_, each) => index === Math.floor(((each + 1) * DAYS) / (kills.length + 1)));
      if (victim !== undefined) {
        await killing;
        killing = this.kill(victim);
      }
      await Promise.all(
        this.lanes.map(async (lane) => {
          lane.day = day;
          const target = Math.floor(perDay * (index + 1)) - Math.floor(perDay * index);
          for (let count = 0; count < target; count += 1) await runRandomEvent(lane);
        }),
      );
    }
    await killing;
    for (let index = 0; this.countDocuments() < documents; index += 1) {
      const lane = this.lanes[index % LANES];
      if (lane !== undefined) await runRandomEvent(lane);
    }
  }
}
