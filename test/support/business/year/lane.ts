import type { CreditedRates } from './credited-rates';
import { ExpectedLedger } from './books';
import type { LedgerItem, LedgerItemKind, Side } from './books';
import type { ReplyData, FaultyClient, Reply } from './faulty-client';
import { getReplyCode } from './faulty-client';
import { CURRENCIES, DECIMALS, RATE_PLACES, toUnits } from './money';
import type { Currency, SeededRandom } from './money';
import type { ShippedLine, Shelf } from './shelf';

/** State shared by all lanes. */
export interface Market {
  /** Exchange rates by currency and day, in 10^-RATE_PLACES. */
  rateOn(currency: Currency, date: string): bigint;
  taxRateIds: readonly number[];
  warehouseIds: readonly number[];
  seriesIds: readonly number[];
  /** Last locked day; null if no day is locked. */
  lockedThrough: string | null;
}

export interface Settlement {
  id: number;
  credit: LedgerItem;
  debit: LedgerItem;
  amount: bigint;
  amountBase: bigint;
  settled: bigint;
  settledBase: bigint;
  /** Discount for early payment that the document lost in addition. */
  discount: bigint;
  discountBase: bigint;
  reversed: boolean;
}

export interface LanePayment {
  id: number;
  type: 'payment' | 'refund';
  /** The credit of the payment, or the one that a refund paid out. */
  item: LedgerItem;
  settlements: Settlement[];
  refundedAmount: bigint;
  refundedBase: bigint;
  void: boolean;
}

export interface LaneInvoice {
  id: number;
  item: LedgerItem;
  issueDate: string;
  left: ShippedLine[];
  /** Units not yet credited, by line; null after a full credit. */
  uncredited: Map<number, bigint>;
  hasCreditNote: boolean;
  /** Terms of the discount for early payment; null if there is none. */
  discount: { amount: bigint; until: string } | null;
  /** What a deposit took off the receivable at issue; null without deposit. */
  deposit: { amount: bigint; amountBase: bigint } | null;
  /** The sales order that it was issued from; null without one. */
  order: LaneSalesOrder | null;
  void: boolean;
}

/** A line that a document asks for. */
export interface RequestedLine {
  productId: number;
  quantity: bigint;
  /** Null for a service. */
  warehouseId: number | null;
}

export interface LaneSalesOrder {
  id: number;
  customerId: number;
  currency: Currency;
  lines: readonly RequestedLine[];
  status: 'draft' | 'confirmed' | 'invoiced' | 'cancelled';
}

/** A difference that was written off. */
export interface LaneWriteOff {
  id: number;
  item: LedgerItem;
  amount: bigint;
  amountBase: bigint;
  void: boolean;
}

export interface LaneOrder {
  id: number;
  vendorId: number;
  currency: Currency;
  lines: { lineId: number; productId: number; warehouseId: number; left: bigint; unitCost: bigint }[];
}

export interface LaneReceipt {
  item: LedgerItem;
  vendorId: number;
  /** Amount before tax, in the currency of the receipt and in base currency. */
  net: bigint;
  netBase: bigint;
  lines: ReceivedLine[];
  /** Rate at which the goods were received, in 10^-RATE_PLACES. */
  rate: bigint;
  /** Amount of the goods that were returned before the bill, and the tax in it. */
  returned: bigint;
  returnedTax: bigint;
  /** The bill that charges the receipt; null before, and after its void. */
  billed: LaneBill | null;
  /** Day on which the void of a bill made it unbilled again; before, its own. */
  unbilledOn: string;
}

/** A bill of receipts, with what returns have credited of it. */
export interface LaneBill {
  item: LedgerItem;
  rates: CreditedRates;
  /** What it took from its receipts. */
  replaced: { receipt: LaneReceipt; amount: bigint; base: bigint }[];
}

/** A line of a receipt, with what was returned to the vendor. */
export interface ReceivedLine {
  lineId: number;
  productId: number;
  warehouseId: number;
  taxRateId: unknown;
  unitCost: unknown;
  quantity: bigint;
  returned: bigint;
  net: bigint;
  tax: bigint;
}

/**
 * One branch of the company, with separate customers, vendors and products, so that the order of their events is known.
 */
export class Lane {
  readonly ledger = new ExpectedLedger();
  readonly shelves: Shelf[] = [];
  readonly serviceIds: number[] = [];
  readonly customerIds: number[] = [];
  readonly vendorIds: number[] = [];
  readonly invoices: LaneInvoice[] = [];
  readonly payments: LanePayment[] = [];
  readonly settlements: Settlement[] = [];
  readonly writeOffs: LaneWriteOff[] = [];
  readonly orders: LaneOrder[] = [];
  readonly receipts: LaneReceipt[] = [];
  /** The bill that a credit note of a vendor names. */
  readonly creditedBills = new Map<LedgerItem, LedgerItem>();
  readonly voidBills = new Set<LedgerItem>();
  readonly salesOrders: LaneSalesOrder[] = [];
  /** Created documents, by kind. */
  readonly documentCounts = new Map<string, number>();
  rejections = 0;
  day = '';

  constructor(
    readonly number: number,
    readonly market: Market,
    readonly client: FaultyClient,
    readonly chance: SeededRandom,
  ) {}

  /** @param kind name in the report of the run, such as `invoice` */
  countDocument(kind: string): void {
    this.documentCounts.set(kind, (this.documentCounts.get(kind) ?? 0) + 1);
  }

  /** The base currency for more than half of the documents. */
  pickCurrency(): Currency {
    return this.chance.nextBoolean(0.5) ? 'EUR' : (this.chance.pick(CURRENCIES) ?? 'EUR');
  }

  /** Exchange rate of the current day, in 10^-RATE_PLACES. */
  getRate(currency: Currency): bigint {
    return this.market.rateOn(currency, this.day);
  }

  /** Ids of the customers or vendors of this branch. */
  listParties(side: Side): readonly number[] {
    return side === 'receivable' ? this.customerIds : this.vendorIds;
  }

  /** Items of which something is open. @param partyId of every party if it is undefined */
  listOpenItems(side: Side, kinds: readonly LedgerItemKind[], partyId?: number): LedgerItem[] {
    return this.ledger.items.filter(
      (item) =>
        item.side === side &&
        kinds.includes(item.kind) &&
        item.open > 0n &&
        (partyId === undefined || item.partyId === partyId),
    );
  }

  /** Posts a request that must be accepted. */
  async create(path: string, json: ReplyData, kind: string): Promise<ReplyData> {
    const reply = await this.client.post(path, json);
    if (reply.status !== 201) throw new Error(this.describeReply(path, json, reply));
    this.countDocument(kind);
    return reply.body['data'] as ReplyData;
  }

  /** Posts a request that must be rejected with the code, without any change. */
  async expectRejection(path: string, json: ReplyData, code: string): Promise<void> {
    const reply = await this.client.post(path, json);
    if (getReplyCode(reply) !== code || reply.status >= 500)
      throw new Error(`not ${code}: ${this.describeReply(path, json, reply)}`);
    this.rejections += 1;
  }

  /** What credit notes take back of a bill: those that name it as a whole, others as far as they were applied to it. */
  computeCredited(bill: LedgerItem): bigint {
    const named = [...this.creditedBills].filter(([, each]) => each === bill).map(([note]) => note.original);
    const applied = this.settlements
      .filter(({ credit, debit, reversed }) => credit.kind === 'credit_note' && debit === bill && !reversed)
      .filter(({ credit }) => !this.creditedBills.has(credit))
      .map(({ settled }) => settled);
    return [...named, ...applied].reduce((sum, amount) => sum + amount, 0n);
  }

  /** A failed request for the message of an error: day, path, body and response. */
  describeReply(path: string, json: ReplyData, { status, body }: Reply): string {
    return `${this.day} ${path} ${JSON.stringify(json)} answered ${status}: ${JSON.stringify(body)}`;
  }

  /** Compares a computed amount with the returned one. */
  expectAmount(what: string, expected: bigint, found: unknown, currency: Currency = 'EUR'): void {
    const returned = toUnits(Number(found), DECIMALS[currency]);
    if (returned !== expected) throw new Error(`${this.day} ${what}: expected ${expected}, found ${returned}`);
  }

  /** Compares an exchange rate in 10^-RATE_PLACES with the returned one. @throws Error if they differ */
  expectRate(what: string, expected: bigint, found: unknown): void {
    const returned = toUnits(Number(found), RATE_PLACES);
    if (returned !== expected) throw new Error(`${this.day} ${what}: expected rate ${expected}, found ${returned}`);
  }
}

/** The later of two days `YYYY-MM-DD`. */
export const maxDate = (first: string, second: string): string => (first > second ? first : second);
