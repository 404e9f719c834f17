import { Books } from './books';
import type { Item, Kind, Side } from './books';
import type { Data, FaultyClient, Reply } from './faulty-client';
import { codeOf } from './faulty-client';
import { CURRENCIES, DECIMALS, RATE_PLACES, units } from './money';
import type { Currency, Chance } from './money';
import type { Left, Shelf } from './shelf';

/** What is the same for every lane. */
export interface Market {
  /** Exchange rates by currency and day, in 10^-RATE_PLACES. */
  rateOn(currency: Currency, date: string): bigint;
  taxRateIds: readonly number[];
  warehouseIds: readonly number[];
  seriesIds: readonly number[];
  /** Days on or before this one are locked; null: none. */
  lockedThrough: string | null;
}

export interface Settlement {
  id: number;
  credit: Item;
  debit: Item;
  amount: bigint;
  amountBase: bigint;
  settled: bigint;
  settledBase: bigint;
  reversed: boolean;
}

export interface Paid {
  id: number;
  type: 'payment' | 'refund';
  /** The payment's own credit, or the one that a refund paid out. */
  item: Item;
  settlements: Settlement[];
  refundedAmount: bigint;
  refundedBase: bigint;
  void: boolean;
}

export interface Sold {
  id: number;
  item: Item;
  issueDate: string;
  left: Left[];
  /** Units by line that are not credited yet; null once it was credited whole. */
  uncredited: Map<number, bigint>;
  hasCreditNote: boolean;
  void: boolean;
}

export interface Ordered {
  id: number;
  vendorId: number;
  currency: Currency;
  lines: { lineId: number; productId: number; warehouseId: number; left: bigint; unitCost: bigint }[];
}

export interface Received {
  item: Item;
  vendorId: number;
  lines: Data[];
}

/** One branch of the company: its own customers, vendors and products, so that it knows their order of events. */
export class Lane {
  readonly books = new Books();
  readonly shelves: Shelf[] = [];
  readonly serviceIds: number[] = [];
  readonly customerIds: number[] = [];
  readonly vendorIds: number[] = [];
  readonly sold: Sold[] = [];
  readonly paid: Paid[] = [];
  readonly settlements: Settlement[] = [];
  readonly ordered: Ordered[] = [];
  readonly received: Received[] = [];
  /** Documents written, by kind. */
  readonly written = new Map<string, number>();
  refused = 0;
  day = '';

  constructor(
    readonly number: number,
    readonly market: Market,
    readonly client: FaultyClient,
    readonly chance: Chance,
  ) {}

  count(kind: string): void {
    this.written.set(kind, (this.written.get(kind) ?? 0) + 1);
  }

  currency(): Currency {
    return this.chance.chance(0.5) ? 'EUR' : (this.chance.pick(CURRENCIES) ?? 'EUR');
  }

  rate(currency: Currency): bigint {
    return this.market.rateOn(currency, this.day);
  }

  parties(side: Side): readonly number[] {
    return side === 'receivable' ? this.customerIds : this.vendorIds;
  }

  open(side: Side, kinds: readonly Kind[], partyId?: number): Item[] {
    return this.books.items.filter(
      (item) =>
        item.side === side &&
        kinds.includes(item.kind) &&
        item.open > 0n &&
        (partyId === undefined || item.partyId === partyId),
    );
  }

  /** Posts what must be accepted. */
  async make(path: string, json: Data, kind: string): Promise<Data> {
    const reply = await this.client.post(path, json);
    if (reply.status !== 201) throw new Error(this.told(path, json, reply));
    this.count(kind);
    return reply.body['data'] as Data;
  }

  /** Posts what must be refused with this code, and changes nothing. */
  async refuse(path: string, json: Data, code: string): Promise<void> {
    const reply = await this.client.post(path, json);
    if (codeOf(reply) !== code || reply.status >= 500) throw new Error(`not ${code}: ${this.told(path, json, reply)}`);
    this.refused += 1;
  }

  told(path: string, json: Data, { status, body }: Reply): string {
    return `${this.day} ${path} ${JSON.stringify(json)} answered ${status}: ${JSON.stringify(body)}`;
  }

  /** Compares an amount that was worked out by hand with the one that was answered. */
  agree(what: string, expected: bigint, found: unknown, currency: Currency = 'EUR'): void {
    const answered = units(Number(found), DECIMALS[currency]);
    if (answered !== expected) throw new Error(`${this.day} ${what}: expected ${expected}, found ${answered}`);
  }

  agreeRate(what: string, expected: bigint, found: unknown): void {
    const answered = units(Number(found), RATE_PLACES);
    if (answered !== expected) throw new Error(`${this.day} ${what}: expected rate ${expected}, found ${answered}`);
  }
}

export const later = (first: string, second: string): string => (first > second ? first : second);
