import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

/**
 * The quantity on hand of one product in one warehouse, and what confirmed orders reserve of it. Goods leave, and are
 * reserved, only under the guard that they are on hand and not reserved.
 */
export interface StockBalanceRecord {
  _id: Types.ObjectId;
  organisationId: string;
  productId: number;
  warehouseId: number;
  onHand: Types.Decimal128;
  /** Absent: none. */
  reserved?: Types.Decimal128;
}

const stockBalanceSchema = new Schema<StockBalanceRecord>(
  {
    organisationId: { type: String, required: true },
    productId: { type: Number, required: true },
    warehouseId: { type: Number, required: true },
    onHand: { type: Schema.Types.Decimal128, required: true },
    reserved: { type: Schema.Types.Decimal128 },
  },
  { collection: 'stock_balances', versionKey: false, strict: 'throw' },
);
stockBalanceSchema.index({ organisationId: 1, productId: 1, warehouseId: 1 }, { unique: true });
stockBalanceSchema.index({ organisationId: 1, warehouseId: 1, productId: 1 });
stockBalanceSchema.index({ organisationId: 1, _id: 1 });

export const StockBalance = model<StockBalanceRecord>('StockBalance', stockBalanceSchema);

/** Quantity and value of one product in all warehouses, in base currency; the average cost is derived from them. */
export interface StockValueRecord {
  _id: Types.ObjectId;
  organisationId: string;
  productId: number;
  quantity: Types.Decimal128;
  value: Types.Decimal128;
  /** Number of ledger rows of the product, which is the sequence of the last row. */
  version: number;
}

const stockValueSchema = new Schema<StockValueRecord>(
  {
    organisationId: { type: String, required: true },
    productId: { type: Number, required: true },
    quantity: { type: Schema.Types.Decimal128, required: true },
    value: { type: Schema.Types.Decimal128, required: true },
    version: { type: Number, required: true },
  },
  { collection: 'stock_values', versionKey: false, strict: 'throw' },
);
stockValueSchema.index({ organisationId: 1, productId: 1 }, { unique: true });

export const StockValue = model<StockValueRecord>('StockValue', stockValueSchema);

export const STOCK_MOVEMENT_KINDS = [
  'opening',
  'invoice',
  'void',
  'restock',
  'adjustment',
  'transfer',
  'receipt',
  'vendor_return',
] as const;
export type StockMovementKind = (typeof STOCK_MOVEMENT_KINDS)[number];

/** A movement; the ledger is append-only. Movements are posted when they commit and never back-dated. */
export interface StockLedgerRecord {
  _id: Types.ObjectId;
  organisationId: string;
  productId: number;
  warehouseId: number;
  /** 1, 2, 3 … within the product, without gaps. */
  sequence: number;
  kind: StockMovementKind;
  /** Signed quantity; negative for issued goods. */
  quantity: Types.Decimal128;
  /** Signed value in base currency. */
  value: Types.Decimal128;
  /** Totals of all warehouses after this row. */
  quantityAfter: Types.Decimal128;
  valueAfter: Types.Decimal128;
  /** The document of the movement; a return finds its cost by invoice and line. */
  invoiceId: number | null;
  /** Id of the adjustment, transfer, receipt or return, depending on `kind`. */
  sourceId: number | null;
  lineId: number | null;
  postedAt: Date;
}

const stockLedgerSchema = new Schema<StockLedgerRecord>(
  {
    organisationId: { type: String, required: true },
    productId: { type: Number, required: true },
    warehouseId: { type: Number, required: true },
    sequence: { type: Number, required: true },
    kind: { type: String, enum: STOCK_MOVEMENT_KINDS, required: true },
    quantity: { type: Schema.Types.Decimal128, required: true },
    value: { type: Schema.Types.Decimal128, required: true },
    quantityAfter: { type: Schema.Types.Decimal128, required: true },
    valueAfter: { type: Schema.Types.Decimal128, required: true },
    invoiceId: { type: Number, default: null },
    sourceId: { type: Number, default: null },
    lineId: { type: Number, default: null },
    postedAt: { type: Date, required: true },
  },
  { collection: 'stock_ledger', versionKey: false, strict: 'throw' },
);
stockLedgerSchema.index({ organisationId: 1, productId: 1, sequence: 1 }, { unique: true });
stockLedgerSchema.index({ organisationId: 1, productId: 1, warehouseId: 1, postedAt: 1 });
stockLedgerSchema.index({ organisationId: 1, invoiceId: 1, lineId: 1 });
// Finds the movements of a day for the journal.
stockLedgerSchema.index({ organisationId: 1, postedAt: 1 });
// Finds the movements of receipts.
stockLedgerSchema.index({ organisationId: 1, sourceId: 1 }, { partialFilterExpression: { kind: 'receipt' } });
// Finds the movements of returns to vendors.
stockLedgerSchema.index(
  { organisationId: 1, sourceId: 1 },
  { name: 'organisationId_1_sourceId_1_vendor_return', partialFilterExpression: { kind: 'vendor_return' } },
);
// Rows in the order in which they were posted, for exports.
stockLedgerSchema.index({ organisationId: 1, _id: 1 });

export const StockLedger = model<StockLedgerRecord>('StockLedger', stockLedgerSchema);
