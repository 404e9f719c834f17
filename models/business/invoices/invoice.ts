import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { INVOICE_STATUSES } from '../../../domain/business/invoices/invoice';
import type {
  InvoiceSnapshot,
  InvoiceStatus,
  IssuedStatus,
  DraftInvoiceInput,
} from '../../../domain/business/invoices/invoice';

/** The warehouse of a line's goods; null for a service. */
export interface LineWarehouse {
  lineId: number;
  warehouseId: number | null;
}

/** Fields common to drafts and issued invoices. */
interface InvoiceContent {
  /** Chosen before the transaction: a retry after a commit of unknown outcome finds it instead of issuing twice. */
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  seriesId: number;
  issueDate: string;
  dueDate: string;
  customerId: number;
  currencyCode: string;
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  baseTotal: Types.Decimal128;
  baseTaxTotal: Types.Decimal128;
  baseGrandTotal: Types.Decimal128;
  lineWarehouses: LineWarehouse[];
  document: InvoiceSnapshot;
  tokens: string[];
  /** Counts changes of a draft and changes of status; used as ETag. */
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

/**
 * An issued invoice. `document` is its immutable content, with decimals as text so that its hash can always be
 * recomputed; amounts that are filtered, sorted or summed are stored additionally as Decimal128.
 */
export interface InvoiceRecord extends InvoiceContent {
  status: IssuedStatus;
  /** Year of the issue date. */
  year: number;
  sequence: number;
  number: string;
  issuedAt: Date;
  /** SHA-256 of the canonical JSON of `document`, hex; identifies the rendered files. */
  contentHash: string;
  /** SHA-256 over the previous document's chain hash, this number and this content hash. */
  chainHash: string;
  /** Date of voiding, `YYYY-MM-DD`. */
  voidedOn: string | null;
  voidReason: string | null;
  /** The attempt that issued a draft, by which a retry of the same attempt recognises its own result. */
  issueAttempt: string | null;
}

/**
 * A draft: the fields as sent, and the invoice computed from them at the last change. It has no number and no postings;
 * issuing computes it again and replaces it by an {@link InvoiceRecord}.
 */
export interface InvoiceDraftRecord extends InvoiceContent {
  status: 'draft';
  number: null;
  sent: DraftInvoiceInput;
}

/** Type for queries of the collection, with all statuses. */
export type InvoiceRow = Omit<InvoiceRecord, 'status'> & { status: InvoiceStatus };

/** A record of the collection. */
export type StoredInvoice = InvoiceRecord | InvoiceDraftRecord;

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const content = {
  organisationId: { type: String, required: true },
  id: { type: Number, required: true },
  seriesId: { type: Number, required: true },
  issueDate: { type: String, required: true },
  dueDate: { type: String, required: true },
  customerId: { type: Number, required: true },
  currencyCode: { type: String, required: true },
  total: amount,
  taxTotal: amount,
  grandTotal: amount,
  baseTotal: amount,
  baseTaxTotal: amount,
  baseGrandTotal: amount,
  lineWarehouses: {
    type: [new Schema<LineWarehouse>({ lineId: Number, warehouseId: Number }, { _id: false, strict: 'throw' })],
    required: true,
  },
  document: { type: Schema.Types.Mixed, required: true },
  tokens: { type: [String], required: true },
  version: { type: Number, required: true, default: 1 },
  createdBy: { type: String, required: true },
  createdAt: { type: Date, required: true },
  updatedAt: { type: Date, required: true },
} as const;

const options = { collection: 'invoices', versionKey: false, strict: 'throw', minimize: false } as const;

const invoiceSchema = new Schema<InvoiceRow>(
  {
    ...content,
    status: { type: String, enum: INVOICE_STATUSES, required: true },
    year: { type: Number, required: true },
    sequence: { type: Number, required: true },
    number: { type: String, required: true },
    issuedAt: { type: Date, required: true },
    contentHash: { type: String, required: true },
    chainHash: { type: String, required: true },
    voidedOn: { type: String, default: null },
    voidReason: { type: String, default: null },
    issueAttempt: { type: String, default: null },
  },
  options,
);
invoiceSchema.index({ organisationId: 1, id: 1 }, { unique: true });
// Drafts have no sequence, so the index covers only numbered documents.
invoiceSchema.index(
  { organisationId: 1, seriesId: 1, year: 1, sequence: 1 },
  { unique: true, partialFilterExpression: { sequence: { $type: 'number' } } },
);
invoiceSchema.index({ organisationId: 1, issueDate: 1, id: 1 });
invoiceSchema.index({ organisationId: 1, dueDate: 1, id: 1 });
invoiceSchema.index({ organisationId: 1, number: 1, id: 1 });
invoiceSchema.index({ organisationId: 1, grandTotal: 1, id: 1 });
invoiceSchema.index({ organisationId: 1, status: 1, issueDate: 1, id: 1 });
invoiceSchema.index({ organisationId: 1, customerId: 1, issueDate: 1, id: 1 });
// With status and customer in the index, a filtered search reads only the documents of the page.
invoiceSchema.index({ organisationId: 1, tokens: 1, issueDate: 1, id: 1, status: 1, customerId: 1 });
// Finds the counter-entries of a day for the journal.
invoiceSchema.index({ organisationId: 1, voidedOn: 1 }, { partialFilterExpression: { voidedOn: { $type: 'string' } } });
// Finds out whether a tax rate is in use.
invoiceSchema.index({ organisationId: 1, 'document.taxes.taxRateId': 1 });

export const Invoice = model<InvoiceRow>('Invoice', invoiceSchema);

const invoiceDraftSchema = new Schema<InvoiceDraftRecord>(
  {
    ...content,
    status: { type: String, enum: ['draft'], required: true },
    number: { type: String, default: null },
    sent: { type: Schema.Types.Mixed, required: true },
  },
  options,
);

/** The invoices that are drafts; {@link Invoice} defines the indexes. */
export const InvoiceDraft = model<InvoiceDraftRecord>('InvoiceDraft', invoiceDraftSchema);
