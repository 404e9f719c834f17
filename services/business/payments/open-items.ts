import { Types } from 'mongoose';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { isCredit } from '../../../domain/business/payments/open-items';
import type { EntryKind, ItemKind, LedgerSide } from '../../../domain/business/payments/open-items';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { computeRelievedBase } from '../../../domain/business/payments/settlement';
import type { OpenAmounts } from '../../../domain/business/payments/settlement';
import { fromDecimal128, toDecimal128 } from '../../../models/business/decimal128';
import { AccountEntry, OpenItem } from '../../../models/business/payments/open-item';
import type { OpenItemRecord } from '../../../models/business/payments/open-item';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import { changeBalance, changeBalances, raiseWithinLimit } from './party-balances';

export interface NewOpenItem {
  organisationId: string;
  side: LedgerSide;
  kind: ItemKind;
  /** Id of the document. */
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
  /** Credit limit of the customer in base currency; null for none. */
  creditLimit?: Decimal | null;
  /** What deposits deduct in the same transaction, in base currency; it does not count towards the credit limit. */
  deducted?: Decimal;
  /** Of a deposit invoice. */
  isDeposit?: true;
  at: Date;
}

/** Version of an item whose open amount has not changed. */
export const FIRST_VERSION = 1;

/** Signs an amount: positive if it raises the party's balance. */
const toSignedAmount = (kind: ItemKind, amount: Decimal): Decimal => (isCredit(kind) ? amount.neg() : amount);

function buildOpenItem(item: NewOpenItem): OpenItemRecord {
  const { amount, amountBase, reference = null, at, creditLimit: _limit, deducted: _deducted, ...fields } = item;
  const nothing = toDecimal128(ZERO);
  return {
    ...fields,
    _id: new Types.ObjectId(),
    exchangeRate: toDecimal128(item.exchangeRate),
    state: amount.isZero() ? 'settled' : 'open',
    original: toDecimal128(amount),
    open: toDecimal128(amount),
    settled: nothing,
    credited: nothing,
    reversed: nothing,
    originalBase: toDecimal128(amountBase),
    openBase: toDecimal128(amountBase),
    tokens: buildSearchTokens([item.number, item.partyName, reference]),
    version: FIRST_VERSION,
    createdAt: at,
    updatedAt: at,
  };
}

/** Raises the balances of the parties, checking the credit limits. */
async function raiseBalances(unit: UnitOfWork, items: readonly NewOpenItem[]): Promise<void> {
  const unlimited = items.filter(({ creditLimit }) => creditLimit == null);
  await changeBalances(
    unit,
    unlimited.map((item) => ({ party: item, change: toSignedAmount(item.kind, item.amountBase) })),
  );
  for (const item of items)
    if (item.creditLimit != null)
      await raiseWithinLimit(unit, item, toSignedAmount(item.kind, item.amountBase), item.creditLimit, item.deducted);
}

/**
 * Writes open items with their dated entries and updates the balances of their parties.
 * @throws AppError 409 `credit_limit_exceeded`
 */
export async function postItems(unit: UnitOfWork, items: readonly NewOpenItem[]): Promise<OpenItemRecord[]> {
  await raiseBalances(unit, items);
  const opened = items.map((item) => ({ item, record: buildOpenItem(item) }));
  await OpenItem.insertMany(
    opened.map(({ record }) => record),
    { session: unit.mongoSession, lean: true },
  );
  const rows = opened.map(({ item: { date, at, amount, amountBase }, record }) =>
    buildAccountEntry(record, { kind: 'issue', date, at }, amount, amountBase),
  );
  await AccountEntry.insertMany(rows, { session: unit.mongoSession, lean: true });
  return opened.map(({ record }) => record);
}

/** {@link postItems} for one item. */
export async function postItem(unit: UnitOfWork, item: NewOpenItem): Promise<OpenItemRecord> {
  const [record] = await postItems(unit, [item]);
  if (record === undefined) throw new Error('an item was posted without its record');
  return record;
}

/** Date and kind of a change. */
export interface EntryDetails {
  kind: EntryKind;
  /** `YYYY-MM-DD`. */
  date: string;
  at: Date;
  allocationId?: number;
  /** Of a receipt: the bill that replaces its unbilled payable, or whose void restores it. */
  billId?: number;
}

function buildAccountEntry(item: OpenItemRecord, details: EntryDetails, amount: Decimal, base: Decimal) {
  const { organisationId, side, partyId, currencyCode, dueDate } = item;
  return {
    organisationId,
    side,
    itemId: item._id,
    partyId,
    currencyCode,
    dueDate,
    kind: details.kind,
    date: details.date,
    amount: toDecimal128(toSignedAmount(item.kind, amount)),
    amountBase: toDecimal128(toSignedAmount(item.kind, base)),
    allocationId: details.allocationId ?? null,
    ...(details.billId === undefined ? {} : { billId: details.billId }),
    postedAt: details.at,
  };
}

/** The amount of an item that increases by what its open amount loses. */
export type ReductionField = 'settled' | 'credited' | 'reversed';

/**
 * What is reversed completely is void; a payment of a part of it stays. An item without an amount has nothing to reverse:
 * it is void until its reversal is undone.
 */
function computeState(
  open: Decimal,
  { settled, credited, reversed }: Pick<OpenItemRecord, 'settled' | 'credited' | 'reversed'>,
  field: ReductionField,
  isRestored: boolean,
) {
  if (open.gt(0)) return 'open';
  if (isRestored && fromDecimal128(reversed).isZero()) return 'settled';
  const isPaid = !fromDecimal128(settled).isZero() || !fromDecimal128(credited).isZero();
  return field === 'reversed' && !isPaid ? 'void' : 'settled';
}

async function changeOpenAmount(
  unit: UnitOfWork,
  item: OpenItemRecord,
  reductionField: ReductionField,
  reduction: Decimal,
  base: Decimal,
  entry: EntryDetails,
  isRestored = false,
): Promise<OpenItemRecord> {
  const open = fromDecimal128(item.open).minus(reduction);
  const set = {
    open: toDecimal128(open),
    [reductionField]: toDecimal128(fromDecimal128(item[reductionField]).plus(reduction)),
    openBase: toDecimal128(fromDecimal128(item.openBase).minus(base)),
    state: computeState(open, item, reductionField, isRestored),
    updatedAt: entry.at,
  } as const;
  const { _id, version } = item;
  const written = await OpenItem.updateOne(
    { _id, version },
    { $set: set, $inc: { version: 1 } },
    { session: unit.mongoSession },
  );
  if (written.matchedCount === 0) throw new Error('an open item changed within the transaction that read it');
  await AccountEntry.create([buildAccountEntry(item, entry, reduction.neg(), base.neg())], {
    session: unit.mongoSession,
  });
  await changeBalance(unit, item, toSignedAmount(item.kind, base.neg()));
  return { ...item, ...set, version: version + 1 };
}

/** The amounts of an item in its own currency and in base currency. */
export const getOpenAmounts = (item: OpenItemRecord): OpenAmounts => ({
  original: fromDecimal128(item.original),
  originalBase: fromDecimal128(item.originalBase),
  open: fromDecimal128(item.open),
  openBase: fromDecimal128(item.openBase),
});

/**
 * Reduces the open amount (document currency) of an item read in this transaction. The base amount is reduced by its
 * share, rounded cumulatively, unless `fixedBase` is given.
 * @throws RangeError if the reduction exceeds the open amount, which callers must check before
 */
export async function reduceOpenAmount(
  unit: UnitOfWork,
  item: OpenItemRecord,
  reductionField: ReductionField,
  reduction: Decimal,
  baseDecimals: number,
  entry: EntryDetails,
  fixedBase?: Decimal,
): Promise<{ item: OpenItemRecord; base: Decimal }> {
  const base = fixedBase ?? computeRelievedBase(getOpenAmounts(item), reduction, baseDecimals);
  return { item: await changeOpenAmount(unit, item, reductionField, reduction, base, entry), base };
}

/** Undoes an earlier reduction with the same amounts, by a counter-entry. */
export const restoreOpenAmount = (
  unit: UnitOfWork,
  item: OpenItemRecord,
  reductionField: ReductionField,
  reduction: Decimal,
  base: Decimal,
  entry: EntryDetails,
): Promise<OpenItemRecord> => changeOpenAmount(unit, item, reductionField, reduction.neg(), base.neg(), entry, true);

export interface ItemKey {
  organisationId: string;
  side: LedgerSide;
  kind: ItemKind | readonly ItemKind[];
  id: number;
}

/** Finds the item of a document in this transaction. */
export async function findOpenItem(unit: UnitOfWork, key: ItemKey): Promise<OpenItemRecord | null> {
  const kind = typeof key.kind === 'string' ? key.kind : { $in: [...key.kind] };
  return OpenItem.findOne({ ...key, kind })
    .session(unit.mongoSession)
    .lean<OpenItemRecord>();
}

/** What is still open of a document or credit, in its currency. */
export async function readOpenAmount(key: ItemKey): Promise<Decimal> {
  const kind = typeof key.kind === 'string' ? key.kind : { $in: [...key.kind] };
  const item = await OpenItem.findOne({ ...key, kind }, { open: 1 }).lean<Pick<OpenItemRecord, 'open'> | null>();
  return item === null ? ZERO : fromDecimal128(item.open);
}

/** Open amount of a document, in its currency; the version counts payments and credits. */
export interface Outstanding {
  open: Decimal;
  version: number;
}

/** Finds the outstanding amounts of invoices, by invoice id. */
export async function findOutstanding(
  organisationId: string,
  invoiceIds: readonly number[],
): Promise<Map<number, Outstanding>> {
  if (invoiceIds.length === 0) return new Map();
  const filter = { organisationId, side: 'receivable', kind: 'invoice', id: { $in: [...invoiceIds] } } as const;
  const records = await OpenItem.find(filter).lean<OpenItemRecord[]>();
  return new Map(records.map(({ id, open, version }) => [id, { open: fromDecimal128(open), version }]));
}
