import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';

export interface StockDocumentLine {
  lineId: number;
  productId: number;
  productCode: string;
  productName: string;
  /** Signed change of an adjustment; moved quantity of a transfer. */
  quantity: Types.Decimal128;
  /** Signed value in base currency; zero for a transfer. */
  value: Types.Decimal128;
}

/** An adjustment or transfer: a change of stock other than a purchase or sale. */
export interface StockDocumentRecord {
  _id: Types.ObjectId;
  organisationId: string;
  type: 'adjustment' | 'transfer';
  id: number;
  /** The adjusted warehouse, or the source of a transfer. */
  warehouseId: number;
  /** Destination of a transfer; null for an adjustment. */
  toWarehouseId: number | null;
  /** Required for an adjustment, optional for a transfer. */
  reason: string | null;
  lines: StockDocumentLine[];
  tokens: string[];
  createdBy: string;
  createdAt: Date;
}

const lineSchema = new Schema<StockDocumentLine>(
  {
    lineId: { type: Number, required: true },
    productId: { type: Number, required: true },
    productCode: { type: String, required: true },
    productName: { type: String, required: true },
    quantity: { type: Schema.Types.Decimal128, required: true },
    value: { type: Schema.Types.Decimal128, required: true },
  },
  { _id: false, strict: 'throw' },
);

const stockDocumentSchema = new Schema<StockDocumentRecord>(
  {
    organisationId: { type: String, required: true },
    type: { type: String, enum: ['adjustment', 'transfer'], required: true },
    id: { type: Number, required: true },
    warehouseId: { type: Number, required: true },
    toWarehouseId: { type: Number, default: null },
    reason: { type: String, default: null },
    lines: { type: [lineSchema], required: true },
    tokens: { type: [String], required: true },
    createdBy: { type: String, required: true },
    createdAt: { type: Date, required: true },
  },
  { collection: 'stock_documents', versionKey: false, strict: 'throw' },
);
stockDocumentSchema.index({ organisationId: 1, type: 1, id: 1 }, { unique: true });
stockDocumentSchema.index({ organisationId: 1, type: 1, createdAt: 1, id: 1 });
stockDocumentSchema.index({ organisationId: 1, type: 1, tokens: 1, id: 1 });

export const StockDocument = model<StockDocumentRecord>('StockDocument', stockDocumentSchema);
