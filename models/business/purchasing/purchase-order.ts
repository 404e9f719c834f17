import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { ORDER_STATUSES } from '../../../domain/business/purchasing/purchasing';
import type { OrderStatus } from '../../../domain/business/purchasing/purchasing';

export interface PurchaseOrderLine {
  /** 1, 2, 3 … in the order of the request. */
  lineId: number;
  productId: number;
  productCode: string;
  description: string;
  unit: string;
  quantity: Types.Decimal128;
  /** Cost per unit before tax, in the currency of the order. */
  unitCost: Types.Decimal128;
  taxRateId: number;
  /** Id of the warehouse that receives the goods; null for a service. */
  warehouseId: number | null;
  received: Types.Decimal128;
}

/** A purchase order. Receipts, not orders, increase stock and payables. */
export interface PurchaseOrderRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  number: string;
  status: OrderStatus;
  vendorId: number;
  vendorName: string;
  orderDate: string;
  expectedDate: string | null;
  currencyCode: string;
  reference: string | null;
  notes: string | null;
  lines: PurchaseOrderLine[];
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  cancelReason: string | null;
  tokens: string[];
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;
const text = { type: String, default: null } as const;

const lineSchema = new Schema<PurchaseOrderLine>(
  {
    lineId: { type: Number, required: true },
    productId: { type: Number, required: true },
    productCode: { type: String, required: true },
    description: { type: String, required: true },
    unit: { type: String, required: true },
    quantity: amount,
    unitCost: amount,
    taxRateId: { type: Number, required: true },
    warehouseId: { type: Number, default: null },
    received: amount,
  },
  { _id: false, strict: 'throw' },
);

const purchaseOrderSchema = new Schema<PurchaseOrderRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    number: { type: String, required: true },
    status: { type: String, enum: ORDER_STATUSES, required: true },
    vendorId: { type: Number, required: true },
    vendorName: { type: String, required: true },
    orderDate: { type: String, required: true },
    expectedDate: text,
    currencyCode: { type: String, required: true },
    reference: text,
    notes: text,
    lines: { type: [lineSchema], required: true },
    total: amount,
    taxTotal: amount,
    grandTotal: amount,
    cancelReason: text,
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'purchase_orders', versionKey: false, strict: 'throw' },
);
purchaseOrderSchema.index({ organisationId: 1, id: 1 }, { unique: true });
purchaseOrderSchema.index({ organisationId: 1, orderDate: 1, id: 1 });
purchaseOrderSchema.index({ organisationId: 1, status: 1, orderDate: 1, id: 1 });
purchaseOrderSchema.index({ organisationId: 1, vendorId: 1, orderDate: 1, id: 1 });
purchaseOrderSchema.index({ organisationId: 1, tokens: 1, orderDate: 1, id: 1 });
// Finds whether a tax rate has been used.
purchaseOrderSchema.index({ organisationId: 1, 'lines.taxRateId': 1 });

export const PurchaseOrder = model<PurchaseOrderRecord>('PurchaseOrder', purchaseOrderSchema);

/** A line of a receipt, bill or credit note. */
export interface PayableLine {
  lineId: number;
  productId: number | null;
  description: string;
  quantity: Types.Decimal128;
  unitCost: Types.Decimal128;
  taxRateId: number;
  net: Types.Decimal128;
  tax: Types.Decimal128;
  /** Quantity of a receipt that was returned to the vendor; absent: none. */
  returned?: Types.Decimal128;
}

/** What was returned of a receipt before its bill; the bill replaces the remainder. */
export interface UnbilledReturns {
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  baseTotal: Types.Decimal128;
  baseTaxTotal: Types.Decimal128;
}

/** What a bill replaced of a receipt: its amounts without what was returned before. */
export interface BilledReceipt extends UnbilledReturns {
  receiptId: number;
}

/** What a credit note of returned goods takes back at a tax rate, rounded cumulatively with the others of its bill. */
export interface PayableBaseRate {
  /** Key of the rate. */
  rate: string;
  /** In base currency. */
  net: Types.Decimal128;
  tax: Types.Decimal128;
  /** Of a rate of several taxes that is credited completely: the parts of the tax. */
  components?: Types.Decimal128[];
  /** Net amounts that earlier credit notes took back at the rate, in base currency and in that of the bill. */
  creditedBefore: { base: Types.Decimal128; amount: Types.Decimal128 };
}

/**
 * A payable: goods received but not billed yet, a bill, or a credit note of a vendor. One counter numbers receipts and
 * bills, because both are payables.
 */
export interface PayableRecord {
  _id: Types.ObjectId;
  organisationId: string;
  type: 'receipt' | 'bill' | 'credit_note';
  id: number;
  /** Number of a bill or credit note, given by the vendor; number of a receipt, given by the company. */
  number: string;
  vendorId: number;
  vendorName: string;
  date: string;
  /** For a bill or credit note: the day whose tax rates apply; absent if it is `date`. */
  supplyDate?: string;
  dueDate: string;
  currencyCode: string;
  exchangeRate: Types.Decimal128;
  lines: PayableLine[];
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  baseGrandTotal: Types.Decimal128;
  /** For a receipt: its order, and the bill that replaced it. */
  orderId: number | null;
  billId: number | null;
  /**
   * For a bill: the receipts that it replaced, and the parts of the difference before tax in base currency. For a credit
   * note of returned goods: the part of the exchange difference that it takes back.
   */
  receiptIds: number[];
  /**
   * For a bill: what it replaced of each receipt. Absent in records written before it was stored, for which the receipts
   * say it until the bill is voided.
   */
  billedReceipts?: BilledReceipt[];
  /** In records written before the other two, the whole difference including tax. */
  priceDifference: Types.Decimal128;
  quantityDifference?: Types.Decimal128;
  exchangeDifference?: Types.Decimal128;
  reference: string | null;
  /** For a receipt; absent: nothing was returned before its bill. */
  unbilledReturns?: UnbilledReturns;
  /** For a credit note of returned goods: the value that left stock, in base currency. */
  returnedCost?: Types.Decimal128;
  /** The same: its amounts in base currency; absent in records written before they were stored, which are converted. */
  baseTotal?: Types.Decimal128;
  baseTaxTotal?: Types.Decimal128;
  /** The same by tax rate; absent in records written before it was stored, which divide the two. */
  baseRates?: PayableBaseRate[];
  /** For a credit note: the bill that it credits; absent if it names none, and in records written before it was stored. */
  creditedBillId?: number;
  /** For a void bill or credit note: the day of the void, and why. */
  voidedOn?: string;
  voidReason?: string;
  /** Its own id once it is void, so that another document can have its number; part of the unique key. */
  voidedId?: number;
  createdBy: string;
  createdAt: Date;
}

const payableLineSchema = new Schema<PayableLine>(
  {
    lineId: { type: Number, required: true },
    productId: { type: Number, default: null },
    description: { type: String, required: true },
    quantity: amount,
    unitCost: amount,
    taxRateId: { type: Number, required: true },
    net: amount,
    tax: amount,
    returned: { type: Schema.Types.Decimal128 },
  },
  { _id: false, strict: 'throw' },
);

const unbilledReturnsSchema = new Schema<UnbilledReturns>(
  { total: amount, taxTotal: amount, baseTotal: amount, baseTaxTotal: amount },
  { _id: false, strict: 'throw' },
);

const billedReceiptSchema = new Schema<BilledReceipt>(
  {
    receiptId: { type: Number, required: true },
    total: amount,
    taxTotal: amount,
    baseTotal: amount,
    baseTaxTotal: amount,
  },
  { _id: false, strict: 'throw' },
);

const baseRateSchema = new Schema<PayableBaseRate>(
  {
    rate: { type: String, required: true },
    net: amount,
    tax: amount,
    components: { type: [Schema.Types.Decimal128], default: undefined },
    creditedBefore: new Schema({ base: amount, amount }, { _id: false, strict: 'throw' }),
  },
  { _id: false, strict: 'throw' },
);

/** The fields that make the number of a vendor's document unique, as long as it is not void. */
export const VENDOR_NUMBER_KEY = ['organisationId', 'vendorId', 'type', 'number', 'voidedId'] as const;

const payableSchema = new Schema<PayableRecord>(
  {
    organisationId: { type: String, required: true },
    type: { type: String, enum: ['receipt', 'bill', 'credit_note'], required: true },
    id: { type: Number, required: true },
    number: { type: String, required: true },
    vendorId: { type: Number, required: true },
    vendorName: { type: String, required: true },
    date: { type: String, required: true },
    supplyDate: { type: String },
    dueDate: { type: String, required: true },
    currencyCode: { type: String, required: true },
    exchangeRate: amount,
    lines: { type: [payableLineSchema], required: true },
    total: amount,
    taxTotal: amount,
    grandTotal: amount,
    baseGrandTotal: amount,
    orderId: { type: Number, default: null },
    billId: { type: Number, default: null },
    receiptIds: { type: [Number], required: true },
    billedReceipts: { type: [billedReceiptSchema], default: undefined },
    priceDifference: amount,
    quantityDifference: { type: Schema.Types.Decimal128 },
    exchangeDifference: { type: Schema.Types.Decimal128 },
    reference: text,
    unbilledReturns: { type: unbilledReturnsSchema },
    returnedCost: { type: Schema.Types.Decimal128 },
    baseTotal: { type: Schema.Types.Decimal128 },
    baseTaxTotal: { type: Schema.Types.Decimal128 },
    baseRates: { type: [baseRateSchema], default: undefined },
    creditedBillId: { type: Number },
    voidedOn: { type: String },
    voidReason: { type: String },
    voidedId: { type: Number },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'payables', versionKey: false, strict: 'throw' },
);
payableSchema.index({ organisationId: 1, id: 1 }, { unique: true });
payableSchema.index({ organisationId: 1, orderId: 1, id: 1 });
// Finds the entries of a day for the journal.
payableSchema.index({ organisationId: 1, date: 1 });
payableSchema.index({ organisationId: 1, voidedOn: 1 }, { partialFilterExpression: { voidedOn: { $type: 'string' } } });
// Finds whether a tax rate has been used.
payableSchema.index({ organisationId: 1, 'lines.taxRateId': 1 });
// Finds the credit notes of a bill.
payableSchema.index(
  { organisationId: 1, creditedBillId: 1 },
  { partialFilterExpression: { creditedBillId: { $exists: true } } },
);
// The number of a vendor's document is unique per vendor, except among void ones.
payableSchema.index(Object.fromEntries(VENDOR_NUMBER_KEY.map((field) => [field, 1])), {
  unique: true,
  partialFilterExpression: { type: { $in: ['bill', 'credit_note'] } },
});

export const Payable = model<PayableRecord>('Payable', payableSchema);
