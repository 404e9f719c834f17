import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

export interface VendorReturnLine {
  /** The line of the receipt. */
  lineId: number;
  productId: number;
  description: string;
  warehouseId: number;
  quantity: Types.Decimal128;
  /** Credited cost per unit before tax, in the currency of the receipt. */
  unitCost: Types.Decimal128;
  taxRateId: number;
  net: Types.Decimal128;
  tax: Types.Decimal128;
  /** Value that left stock, in base currency. */
  cost: Types.Decimal128;
}

/** Goods that were returned to a vendor; never changed. */
export interface VendorReturnRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  number: string;
  /** Id and number of the receipt with which the goods came. */
  receiptId: number;
  receiptNumber: string;
  vendorId: number;
  vendorName: string;
  date: string;
  currencyCode: string;
  exchangeRate: Types.Decimal128;
  reason: string;
  lines: VendorReturnLine[];
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  baseTotal: Types.Decimal128;
  baseTaxTotal: Types.Decimal128;
  /** Value of the goods that left stock, in base currency. */
  cost: Types.Decimal128;
  /** Id of the credit note of the vendor; null if the receipt had not been billed and its payable was reduced. */
  creditNoteId: number | null;
  createdBy: string;
  createdAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;

const lineSchema = new Schema<VendorReturnLine>(
  {
    lineId: { type: Number, required: true },
    productId: { type: Number, required: true },
    description: { type: String, required: true },
    warehouseId: { type: Number, required: true },
    quantity: amount,
    unitCost: amount,
    taxRateId: { type: Number, required: true },
    net: amount,
    tax: amount,
    cost: amount,
  },
  { _id: false, strict: 'throw' },
);

const vendorReturnSchema = new Schema<VendorReturnRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    number: { type: String, required: true },
    receiptId: { type: Number, required: true },
    receiptNumber: { type: String, required: true },
    vendorId: { type: Number, required: true },
    vendorName: { type: String, required: true },
    date: { type: String, required: true },
    currencyCode: { type: String, required: true },
    exchangeRate: amount,
    reason: { type: String, required: true },
    lines: { type: [lineSchema], required: true },
    total: amount,
    taxTotal: amount,
    grandTotal: amount,
    baseTotal: amount,
    baseTaxTotal: amount,
    cost: amount,
    creditNoteId: { type: Number, default: null },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'vendor_returns', versionKey: false, strict: 'throw' },
);
vendorReturnSchema.index({ organisationId: 1, id: 1 }, { unique: true });
vendorReturnSchema.index({ organisationId: 1, receiptId: 1, id: 1 });
vendorReturnSchema.index({ organisationId: 1, vendorId: 1, id: 1 });
// Finds the entries of a day for the journal.
vendorReturnSchema.index({ organisationId: 1, date: 1, id: 1 });

export const VendorReturn = model<VendorReturnRecord>('VendorReturn', vendorReturnSchema);
