import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/**
 * What is still to be received on one invoice. Payments, credit notes, allocations and voids write it under guards
 * (`open >= amount`, or `settled = 0, credited = 0`) and count its version up.
 * open = original − settled − credited, always, in document and in base currency.
 */
export interface ReceivableRecord {
  _id: Types.ObjectId;
  organisationId: string;
  /** The invoice's id: an invoice has one receivable. */
  invoiceId: number;
  customerId: number;
  currencyCode: string;
  exchangeRate: Types.Decimal128;
  issueDate: string;
  dueDate: string;
  original: Types.Decimal128;
  open: Types.Decimal128;
  settled: Types.Decimal128;
  credited: Types.Decimal128;
  originalBase: Types.Decimal128;
  openBase: Types.Decimal128;
  settledBase: Types.Decimal128;
  creditedBase: Types.Decimal128;
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const receivableSchema = new Schema<ReceivableRecord>(
  {
    organisationId: { type: String, required: true },
    invoiceId: { type: Number, required: true },
    customerId: { type: Number, required: true },
    currencyCode: { type: String, required: true },
    exchangeRate: amount,
    issueDate: { type: String, required: true },
    dueDate: { type: String, required: true },
    original: amount,
    open: amount,
    settled: amount,
    credited: amount,
    originalBase: amount,
    openBase: amount,
    settledBase: amount,
    creditedBase: amount,
    version: { type: Number, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'receivables', versionKey: false, strict: 'throw' },
);
receivableSchema.index({ organisationId: 1, invoiceId: 1 }, { unique: true });
receivableSchema.index({ organisationId: 1, customerId: 1, dueDate: 1, invoiceId: 1 });
receivableSchema.index({ organisationId: 1, dueDate: 1, invoiceId: 1 });

export const Receivable = model<ReceivableRecord>('Receivable', receivableSchema);

export const RECEIVABLE_ENTRIES = ['issue', 'allocation', 'credit_note', 'void', 'reversal'] as const;
export type ReceivableEntryKind = (typeof RECEIVABLE_ENTRIES)[number];

/** A dated change of a receivable, append-only; aging as of any day is the sum of the entries up to it. */
export interface ReceivableEntryRecord {
  _id: Types.ObjectId;
  organisationId: string;
  invoiceId: number;
  customerId: number;
  currencyCode: string;
  kind: ReceivableEntryKind;
  /** `YYYY-MM-DD` in the company's zone. */
  date: string;
  /** Signed: what makes the customer owe more is positive. */
  amount: Types.Decimal128;
  amountBase: Types.Decimal128;
  postedAt: Date;
}

const receivableEntrySchema = new Schema<ReceivableEntryRecord>(
  {
    organisationId: { type: String, required: true },
    invoiceId: { type: Number, required: true },
    customerId: { type: Number, required: true },
    currencyCode: { type: String, required: true },
    kind: { type: String, enum: RECEIVABLE_ENTRIES, required: true },
    date: { type: String, required: true },
    amount,
    amountBase: amount,
    postedAt: { type: Date, required: true },
  },
  { collection: 'receivable_entries', versionKey: false, strict: 'throw' },
);
receivableEntrySchema.index({ organisationId: 1, customerId: 1, date: 1 });
receivableEntrySchema.index({ organisationId: 1, invoiceId: 1, date: 1 });

export const ReceivableEntry = model<ReceivableEntryRecord>('ReceivableEntry', receivableEntrySchema);
