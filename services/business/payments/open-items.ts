import { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { isCredit } from '../../../domain/business/payments/open-items';
import type { EntryKind, ItemKind, Side } from '../../../domain/business/payments/open-items';
import { searchTokens } from '../../../domain/business/search-tokens';
import { relievedBase } from '../../../domain/business/payments/settlement';
import { fromStored, toStored } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { changeBalance, changeBalances, raiseWithinLimit } from './party-balances';

export interface NewItem {
  organisationId: string;
  side: Side;
  kind: ItemKind;
  /** Of the document. */
  id: number;
  number: string;
  partyId: number;
  partyName: string;
  reference?: string | null;
  currencyCode: string;
  exchangeRate: Decimal;
  date: string;
  dueDate: string;
  amount: Decimal;
  amountBase: Decimal;
  /** Base currency; null: none. */
  creditLimit?: Decimal | null;
  at: Date;
}

/** Of an item nothing has been taken from. */
export const FIRST_VERSION = 1;

/** Positive for what raises a party's debt. */
const signed = (kind: ItemKind, amount: Decimal): Decimal => (isCredit(kind) ? amount.neg() : amount);

function newRecord(item: NewItem): OpenItemRecord {
  const { amount, amountBase, reference = null, at, creditLimit: _, ...place } = item;
  const nothing = toStored(ZERO);
  return {
    ...place,
    _id: new Types.ObjectId(),
    exchangeRate: toStored(item.exchangeRate),
    state: amount.isZero() ? 'settled' : 'open',
    original: toStored(amount),
    open: toStored(amount),
    settled: nothing,
    credited: nothing,
    reversed: nothing,
    originalBase: toStored(amountBase),
    openBase: toStored(amountBase),
    tokens: searchTokens([item.number, item.partyName, reference]),
    version: FIRST_VERSION,
    createdAt: at,
    updatedAt: at,
  };
}

/** Raises the balances of the parties, those with a credit limit under its guard. */
async function raiseBalances(unit: UnitOfWork, items: readonly NewItem[]): Promise<void> {
  const unlimited = items.filter(({ creditLimit }) => creditLimit == null);
  await changeBalances(
    unit,
    unlimited.map((item) => ({ party: item, change: signed(item.kind, item.amountBase) })),
  );
  for (const item of items)
    if (item.creditLimit != null)
      await raiseWithinLimit(unit, item, signed(item.kind, item.amountBase), item.creditLimit);
}

/**
 * Opens items with their dated entries and the balances of their parties.
 * @throws AppError 409 `credit_limit_exceeded`
 */
export async function postItems(unit: UnitOfWork, items: readonly NewItem[]): Promise<OpenItemRecord[]> {
  await raiseBalances(unit, items);
  const { session } = unit;
  const opened = items.map((item) => ({ item, record: newRecord(item) }));
  await OpenItem.insertMany(
    opened.map(({ record }) => record),
    { session, lean: true },
  );
  const rows = opened.map(({ item: { date, at, amount, amountBase }, record }) =>
    entryOf(record, { kind: 'issue', date, at }, amount, amountBase),
  );
  await AccountEntry.insertMany(rows, { session, lean: true });
  return opened.map(({ record }) => record);
}

/** {@link postItems} for one. */
export async function postItem(unit: UnitOfWork, item: NewItem): Promise<OpenItemRecord> {
  const [record] = await postItems(unit, [item]);
  if (record === undefined) throw new Error('an item was posted without its record');
  return record;
}

/** The day and reason of a change. */
export interface Change {
  kind: EntryKind;
  /** `YYYY-MM-DD`. */
  date: string;
  at: Date;
  allocationId?: number;
}

function entryOf(item: OpenItemRecord, change: Change, amount: Decimal, base: Decimal) {
  const { organisationId, side, partyId, currencyCode, dueDate } = item;
  return {
    organisationId,
    side,
    itemId: item._id,
    partyId,
    currencyCode,
    dueDate,
    kind: change.kind,
    date: change.date,
    amount: toStored(signed(item.kind, amount)),
    amountBase: toStored(signed(item.kind, base)),
    allocationId: change.allocationId ?? null,
    postedAt: change.at,
  };
}

/** Which of an item's amounts takes what its open amount loses. */
export type Taker = 'settled' | 'credited' | 'reversed';

async function change(
  unit: UnitOfWork,
  item: OpenItemRecord,
  taker: Taker,
  taken: Decimal,
  base: Decimal,
  why: Change,
): Promise<OpenItemRecord> {
  const open = fromStored(item.open).minus(taken);
  const state = open.gt(0) ? 'open' : taker === 'reversed' ? 'void' : 'settled';
  const set = {
    open: toStored(open),
    [taker]: toStored(fromStored(item[taker]).plus(taken)),
    openBase: toStored(fromStored(item.openBase).minus(base)),
    state,
    updatedAt: why.at,
  } as const;
  const { _id, version } = item;
  const { session } = unit;
  const written = await OpenItem.updateOne({ _id, version }, { $set: set, $inc: { version: 1 } }, { session });
  if (written.matchedCount === 0) throw new Error('an open item changed within the transaction that read it');
  await AccountEntry.create([entryOf(item, why, taken.neg(), base.neg())], { session: unit.session });
  await changeBalance(unit, item, signed(item.kind, base.neg()));
  return { ...item, ...set, version: version + 1 };
}

/**
 * Takes `taken` (document currency) from what is open of an item read in this transaction; its share of the base amount
 * follows by cumulative rounding, unless it is given.
 * @throws RangeError when more is taken than is open: the caller has looked
 */
export async function takeFromItem(
  unit: UnitOfWork,
  item: OpenItemRecord,
  taker: Taker,
  taken: Decimal,
  baseDecimals: number,
  why: Change,
  fixedBase?: Decimal,
): Promise<{ item: OpenItemRecord; base: Decimal }> {
  const amounts = {
    original: fromStored(item.original),
    originalBase: fromStored(item.originalBase),
    open: fromStored(item.open),
    openBase: fromStored(item.openBase),
  };
  const base = fixedBase ?? relievedBase(amounts, taken, baseDecimals);
  return { item: await change(unit, item, taker, taken, base, why), base };
}

/** Opens again what was taken before: the same amounts, by a counter-entry. */
export const giveBackToItem = (
  unit: UnitOfWork,
  item: OpenItemRecord,
  taker: Taker,
  taken: Decimal,
  base: Decimal,
  why: Change,
): Promise<OpenItemRecord> => change(unit, item, taker, taken.neg(), base.neg(), why);

export interface ItemKey {
  organisationId: string;
  side: Side;
  kind: ItemKind | readonly ItemKind[];
  id: number;
}

/** The item of a document, read for a change in this transaction; null when there is none. */
export async function itemOf(unit: UnitOfWork, key: ItemKey): Promise<OpenItemRecord | null> {
  const kind = typeof key.kind === 'string' ? key.kind : { $in: [...key.kind] };
  return OpenItem.findOne({ ...key, kind })
    .session(unit.session)
    .lean<OpenItemRecord>();
}

/** What is still open of a document, in its currency; the version counts payments and credits. */
export interface Outstanding {
  open: Decimal;
  version: number;
}

/** What is still to be received of invoices, by invoice id. */
export async function outstandingOf(
  organisationId: string,
  invoiceIds: readonly number[],
): Promise<Map<number, Outstanding>> {
  if (invoiceIds.length === 0) return new Map();
  const filter = { organisationId, side: 'receivable', kind: 'invoice', id: { $in: [...invoiceIds] } } as const;
  const records = await OpenItem.find(filter).lean<OpenItemRecord[]>();
  return new Map(records.map(({ id, open, version }) => [id, { open: fromStored(open), version }]));
}
