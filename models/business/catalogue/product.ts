import { model, Schema } from 'mongoose';
import type { Types } from 'mongoose';
import { indexNames } from '../../name-order';

export const PRODUCT_TYPES = ['goods', 'service'] as const;
export type ProductType = (typeof PRODUCT_TYPES)[number];

export interface ProductRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  /** Unique within the organisation. */
  code: string;
  name: string;
  description: string | null;
  /** Goods are kept in stock, services are not; the type cannot change. */
  type: ProductType;
  categoryId: number | null;
  /** Unit code of UN/ECE Recommendation 20, such as `C62` (one). */
  unit: string;
  price: Types.Decimal128;
  currencyCode: string;
  /** Null: the default of the company. */
  taxRateId: number | null;
  priceIncludesTax: boolean;
  reorderLevel: Types.Decimal128 | null;
  barcode: string | null;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const productSchema = new Schema<ProductRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    code: { type: String, required: true },
    name: { type: String, required: true },
    description: { type: String, default: null },
    type: { type: String, enum: PRODUCT_TYPES, required: true },
    categoryId: { type: Number, default: null },
    unit: { type: String, required: true },
    price: { type: Schema.Types.Decimal128, required: true },
    currencyCode: { type: String, required: true },
    taxRateId: { type: Number, default: null },
    priceIncludesTax: { type: Boolean, required: true, default: false },
    reorderLevel: { type: Schema.Types.Decimal128, default: null },
    barcode: { type: String, default: null },
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'products', versionKey: false, strict: 'throw' },
);
productSchema.index({ organisationId: 1, id: 1 }, { unique: true });
productSchema.index({ organisationId: 1, code: 1 }, { unique: true });
// Sorts by code with the id as tie-breaker, which the unique index alone cannot do.
productSchema.index({ organisationId: 1, code: 1, id: 1, active: 1 });
// Lists hide inactive records: with the flag last, an index filters them without reading the record.
productSchema.index({ organisationId: 1, active: 1, id: 1 });
productSchema.index({ organisationId: 1, categoryId: 1, id: 1 });
/** The products with a reorder level. */
export const REORDER_INDEX = 'products_with_reorder_level';
productSchema.index(
  { organisationId: 1, active: 1, reorderLevel: 1 },
  { name: REORDER_INDEX, partialFilterExpression: { reorderLevel: { $type: 'decimal' } } },
);
indexNames(productSchema, { active: 1 });
productSchema.index({ organisationId: 1, price: 1, id: 1, active: 1 });
productSchema.index({ organisationId: 1, createdAt: 1, id: 1, active: 1 });
productSchema.index({ organisationId: 1, tokens: 1, id: 1, active: 1 });

export const Product = model<ProductRecord>('Product', productSchema);

export interface ProductCategoryRecord {
  _id: Types.ObjectId;
  organisationId: string;
  id: number;
  name: string;
  active: boolean;
  tokens: string[];
  version: number;
  createdAt: Date;
  updatedAt: Date;
}

const productCategorySchema = new Schema<ProductCategoryRecord>(
  {
    organisationId: { type: String, required: true },
    id: { type: Number, required: true },
    name: { type: String, required: true },
    active: { type: Boolean, required: true, default: true },
    tokens: { type: [String], required: true },
    version: { type: Number, required: true, default: 1 },
    createdAt: { type: Date, required: true },
    updatedAt: { type: Date, required: true },
  },
  { collection: 'product_categories', versionKey: false, strict: 'throw' },
);
productCategorySchema.index({ organisationId: 1, id: 1 }, { unique: true });
productCategorySchema.index({ organisationId: 1, name: 1 }, { unique: true });
indexNames(productCategorySchema);
productCategorySchema.index({ organisationId: 1, createdAt: 1, id: 1 });
productCategorySchema.index({ organisationId: 1, tokens: 1, id: 1 });

export const ProductCategory = model<ProductCategoryRecord>('ProductCategory', productCategorySchema);
