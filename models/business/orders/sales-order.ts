import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { SALES_ORDER_STATUSES } from '../../../domain/business/orders/sales-orders';
import type { SalesOrderStatus } from '../../../domain/business/orders/sales-orders';

export interface SalesOrderLine {
  /** 1, 2, 3 … in the order of the request. */
  lineId: number;
  productId: number;
  productCode: string;
  description: string;
  unit: string;
  quantity: Types.Decimal128;
  unitPrice: Types.Decimal128;
  discountPercent: Types.Decimal128;
  taxRateId: number;
  priceIncludesTax: boolean;
  /** Warehouse in which the goods are reserved; null for a service. */
  warehouseId: number | null;
  net: Types.Decimal128;
  tax: Types.Decimal128;
}

/** An order of a customer. Confirmed orders reserve stock; the invoice issues it. */
export interface SalesOrderRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  number: string;
  status: SalesOrderStatus;
  customerId: number;
  customerName: string;
  orderDate: string;
  currencyCode: string;
  reference: string | null;
  notes: string | null;
  lines: SalesOrderLine[];
  total: Types.Decimal128;
  taxTotal: Types.Decimal128;
  grandTotal: Types.Decimal128;
  cancelReason: string | null;
  /** The invoice of the order, unless it was voided. */
  invoiceId: number | null;
  invoiceNumber: string | null;
  tokens: string[];
  version: number;
  createdBy: string;
  createdAt: Date;
  updatedAt: Date;
}

const amount = { type: Schema.Types.Decimal128, required: true } as const;
const text = { type: String, default: null } as const;

const lineSchema = new Schema<SalesOrderLine>(
  {
    lineId: { type: Number, required: true },
    productId: { type: Number, required: true },
    productCode: { type: String, required: true },
    description: { type: String, required: true },
    unit: { type: String, required: true },
    quantity: amount,
    unitPrice: amount,
    discountPercent: amount,
    taxRateId: { type: Number, required: true },
    priceIncludesTax: { type: Boolean, required: true },
    warehouseId: { type: Number, default: null },
    net: amount,
    tax: amount,
  },
  { _id: false, strict: 'throw' },
);

const salesOrderSchema = new Schema<SalesOrderRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    number: { type: String, required: true },
    status: { type: String, enum: SALES_ORDER_STATUSES, required: true },
    customerId: { type: Number, required: true },
    customerName: { type: String, required: true },
    orderDate: { type: String, required: true },
    currencyCode: { type: String, required: true },
    reference: text,
    notes: text,
    lines: { type: [lineSchema], required: true },
    total: amount,
    taxTotal: amount,
    grandTotal: amount,
    cancelReason: text,
    invoiceId: { type: Number, default: null },
    invoiceNumber: text,
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'sales_orders', versionKey: false, strict: 'throw' },
);
salesOrderSchema.index({ organisationId: 1, id: 1 }, { unique: true });
salesOrderSchema.index({ organisationId: 1, orderDate: 1, id: 1 });
salesOrderSchema.index({ organisationId: 1, status: 1, orderDate: 1, id: 1 });
salesOrderSchema.index({ organisationId: 1, customerId: 1, orderDate: 1, id: 1 });
salesOrderSchema.index(
  { organisationId: 1, invoiceId: 1 },
  { unique: true, partialFilterExpression: { invoiceId: { $type: 'number' } } },
);
salesOrderSchema.index({ organisationId: 1, tokens: 1, orderDate: 1, id: 1 });
// Finds whether a tax rate has been used.
salesOrderSchema.index({ organisationId: 1, 'lines.taxRateId': 1 });

export const SalesOrder = model<SalesOrderRecord>('SalesOrder', salesOrderSchema);
