import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { INVOICE_STATUSES } from '../../domain/business/invoice';
import type { InvoiceSnapshot, InvoiceStatus } from '../../domain/business/invoice';

/** Which warehouse a line's goods left from; null for a service. */
export interface LineWarehouse {
  lineId: number;
  warehouseId: number | null;
}

/**
 * An invoice. `document` is what was issued, frozen, with decimals as text so that its hash can always be made again;
 * amounts that are filtered, sorted or summed stand beside it as Decimal128.
 */
export interface InvoiceRecord {
  /** Chosen before the transaction: a retry after an unknown commit meets it instead of issuing twice. */
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  status: InvoiceStatus;
  seriesId: number;
  /** Of the issue date. */
  year: number;
  sequence: number;
  number: string;
  issueDate: string;
  dueDate: string;
  issuedAt: Date;
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
  /** SHA-256 of the canonical JSON of `document`, hex; names the printed object. */
  contentHash: string;
  /** SHA-256 over the previous document's chain hash, this number and this content hash. */
  chainHash: string;
  tokens: string[];
  /** Day of voiding, `YYYY-MM-DD`, and why. */
  voidedOn: string | null;
  voidReason: string | null;
  /** Counts changes of status; the ETag. */
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const invoiceSchema = new Schema<InvoiceRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    status: { type: String, enum: INVOICE_STATUSES, required: true },
    seriesId: { type: Number, required: true },
    year: { type: Number, required: true },
    sequence: { type: Number, required: true },
    number: { type: String, required: true },
    issueDate: { type: String, required: true },
    dueDate: { type: String, required: true },
    issuedAt: { type: Date, required: true },
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
    contentHash: { type: String, required: true },
    chainHash: { type: String, required: true },
    tokens: { type: [String], required: true },
    voidedOn: { type: String, default: null },
    voidReason: { type: String, default: null },
    version: { type: Number, required: true, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'invoices', versionKey: false, strict: 'throw', minimize: false },
);
invoiceSchema.index({ organisationId: 1, id: 1 }, { unique: true });
// Drafts have no sequence yet, so only numbered documents are held to it.
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
invoiceSchema.index({ organisationId: 1, tokens: 1, issueDate: 1, id: 1 });
// Whether a tax rate has been used.
invoiceSchema.index({ organisationId: 1, 'document.taxes.taxRateId': 1 });

export const Invoice = model<InvoiceRecord>('Invoice', invoiceSchema);
