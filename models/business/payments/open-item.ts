import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { ENTRY_KINDS, ITEM_KINDS, ITEM_STATES, LEDGER_SIDES } from '../../../domain/business/payments/open-items';
import type { EntryKind, ItemKind, ItemState, LedgerSide } from '../../../domain/business/payments/open-items';

/**
 * The open amount of one document. Payments, credit notes, allocations and voids write it within the transaction that
 * read it and increment its version, so that no two use the same amount.
 * open = original − settled − credited − reversed, always, in document and in base currency.
 */
export interface OpenItemRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  kind: ItemKind;
  /** Id of the document, which has one item; receipts and bills share one counter. */
  id: number;
  number: string;
  /** Id of the customer or vendor. */
  partyId: number;
  partyName: string;
  currencyCode: string;
  /** Units of base currency per unit of `currencyCode`, fixed at posting. */
  exchangeRate: Types.Decimal128;
  /** `YYYY-MM-DD`. */
  date: string;
  dueDate: string;
  state: ItemState;
  original: Types.Decimal128;
  open: Types.Decimal128;
  /**
   * Amount settled by payments and, for an invoice, by credit notes of other invoices; for a credit, the amount applied
   * or refunded.
   */
  settled: Types.Decimal128;
  /** Amount settled by credit notes; for an invoice, only by its own. */
  credited: Types.Decimal128;
  /** Amount reversed by voiding, or by the bill that replaces a receipt. */
  reversed: Types.Decimal128;
  originalBase: Types.Decimal128;
  openBase: Types.Decimal128;
  /** Set for deposit invoices, whose tax is due when they are settled. */
  isDeposit?: true;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const openItemSchema = new Schema<OpenItemRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    kind: { type: String, enum: ITEM_KINDS, required: true },
    id: { type: Number, required: true },
    number: { type: String, required: true },
    partyId: { type: Number, required: true },
    partyName: { type: String, required: true },
    currencyCode: { type: String, required: true },
    exchangeRate: amount,
    date: { type: String, required: true },
    dueDate: { type: String, required: true },
    state: { type: String, enum: ITEM_STATES, required: true },
    original: amount,
    open: amount,
    settled: amount,
    credited: amount,
    reversed: amount,
    originalBase: amount,
    openBase: amount,
    isDeposit: { type: Boolean },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'open_items', versionKey: false, strict: 'throw' },
);
openItemSchema.index({ organisationId: 1, side: 1, kind: 1, id: 1 }, { unique: true });
// Lists contain only debits: with the kind in the index, they are counted without reading the items.
openItemSchema.index({ organisationId: 1, side: 1, partyId: 1, state: 1, dueDate: 1, id: 1, kind: 1 });
openItemSchema.index({ organisationId: 1, side: 1, dueDate: 1, id: 1, kind: 1 });
openItemSchema.index({ organisationId: 1, side: 1, date: 1, id: 1, kind: 1 });
openItemSchema.index({ organisationId: 1, side: 1, state: 1, dueDate: 1, id: 1, kind: 1 });
openItemSchema.index({ organisationId: 1, side: 1, tokens: 1, dueDate: 1, id: 1, state: 1, kind: 1 });
// Covers reading the open amounts of many documents; settled items are not in the index.
openItemSchema.index(
  { organisationId: 1, side: 1, kind: 1, state: 1, id: 1, open: 1 },
  { partialFilterExpression: { state: 'open' } },
);
// Order of exports: numbers of documents are unique only within a kind.
openItemSchema.index({ organisationId: 1, side: 1, _id: 1 });

export const OpenItem = model<OpenItemRecord>('OpenItem', openItemSchema);

/**
 * A dated change of an item, append-only. The open amount on any day is the sum of the entries up to it; balance, aging
 * and ledger are sums of these rows.
 */
export interface AccountEntryRecord {
  _id: Types.ObjectId;
  organisationId: string;
  side: LedgerSide;
  itemId: Types.ObjectId;
  partyId: number;
  currencyCode: string;
  dueDate: string;
  kind: EntryKind;
  /** `YYYY-MM-DD` in the company's zone. */
  date: string;
  /** Signed amount: positive if it raises the receivable or payable. */
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
  allocationId: number | null;
  /**
   * Of a receipt: the bill that replaced its unbilled payable, or whose void restored it; absent for other entries, and
   * for those of bills recorded before it was stored.
   */
  billId?: number;
  postedAt: Date;
}

const accountEntrySchema = new Schema<AccountEntryRecord>(
  {
    organisationId: { type: String, required: true },
    side: { type: String, enum: LEDGER_SIDES, required: true },
    itemId: { type: Schema.Types.ObjectId, required: true },
    partyId: { type: Number, required: true },
    currencyCode: { type: String, required: true },
    dueDate: { type: String, required: true },
    kind: { type: String, enum: ENTRY_KINDS, required: true },
    date: { type: String, required: true },
    amount,
    amountBase: amount,
    allocationId: { type: Number, default: null },
    billId: { type: Number },
    postedAt: { type: Date, required: true },
  },
  { collection: 'account_entries', versionKey: false, strict: 'throw' },
);
accountEntrySchema.index({ organisationId: 1, side: 1, partyId: 1, date: 1 });
accountEntrySchema.index({ organisationId: 1, side: 1, date: 1 });
accountEntrySchema.index({ organisationId: 1, side: 1, itemId: 1, date: 1 });
// Order of posting, for exports.
accountEntrySchema.index({ organisationId: 1, side: 1, _id: 1 });

export const AccountEntry = model<AccountEntryRecord>('AccountEntry', accountEntrySchema);
