import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import type { CreditNoteSnapshot } from '../../../domain/business/invoices/invoice';

/** The credited part of one invoice line. */
export interface CreditedLineRecord {
  invoiceLineId: number;
  /** Null if an amount was credited without units. */
  quantity: Types.Decimal128 | null;
  /** Credited amount, including tax if the line's unit price does. */
  payable: Types.Decimal128;
}

/** A credit note for one invoice; `document` is its immutable content. */
export interface CreditNoteRecord {
  /** Chosen before the transaction: a retry after a commit of unknown outcome finds it. */
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  invoiceId: number;
  seriesId: number;
  year: number;
  sequence: number;
  number: string;
  issueDate: string;
  issuedAt: Date;
  customerId: number;
  currencyCode: string;
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  baseTotal: Types.Decimal128;
  baseTaxTotal: Types.Decimal128;
  baseGrandTotal: Types.Decimal128;
  lines: CreditedLineRecord[];
  restock: boolean;
  document: CreditNoteSnapshot;
  contentHash: string;
  chainHash: string;
  tokens: string[];
  createdBy: string;
  createdAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const creditedLineSchema = new Schema<CreditedLineRecord>(
  {
    invoiceLineId: { type: Number, required: true },
    quantity: { type: Schema.Types.Decimal128, default: null },
    payable: amount,
  },
  { _id: false, strict: 'throw' },
);

const creditNoteSchema = new Schema<CreditNoteRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    invoiceId: { type: Number, required: true },
    seriesId: { type: Number, required: true },
    year: { type: Number, required: true },
    sequence: { type: Number, required: true },
    number: { type: String, required: true },
    issueDate: { type: String, required: true },
    issuedAt: { type: Date, required: true },
    customerId: { type: Number, required: true },
    currencyCode: { type: String, required: true },
    total: amount,
    taxTotal: amount,
    grandTotal: amount,
    baseTotal: amount,
    baseTaxTotal: amount,
    baseGrandTotal: amount,
    lines: { type: [creditedLineSchema], required: true },
    restock: { type: Boolean, required: true },
    document: { type: Schema.Types.Mixed, required: true },
    contentHash: { type: String, required: true },
    chainHash: { type: String, required: true },
    tokens: { type: [String], required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'credit_notes', versionKey: false, strict: 'throw', minimize: false },
);
creditNoteSchema.index({ organisationId: 1, id: 1 }, { unique: true });
creditNoteSchema.index({ organisationId: 1, seriesId: 1, year: 1, sequence: 1 }, { unique: true });
creditNoteSchema.index({ organisationId: 1, invoiceId: 1, id: 1 });
creditNoteSchema.index({ organisationId: 1, issueDate: 1, id: 1 });
creditNoteSchema.index({ organisationId: 1, number: 1, id: 1 });
creditNoteSchema.index({ organisationId: 1, customerId: 1, issueDate: 1, id: 1 });
creditNoteSchema.index({ organisationId: 1, tokens: 1, issueDate: 1, id: 1 });

export const CreditNote = model<CreditNoteRecord>('CreditNote', creditNoteSchema);
