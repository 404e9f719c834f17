import { z } from 'zod';
import { PRODUCT_TYPES } from '../../../models/business/catalogue/product';
import type { ProductDetail } from '../../../services/business/catalogue/products';
import { instant } from '../fields';

export const productSchema = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  description: z.string().nullable(),
  type: z.enum(PRODUCT_TYPES),
  categoryId: z.number().int().nullable(),
  categoryName: z.string().nullable(),
  unit: z.string(),
  price: z.number(),
  currencyCode: z.string(),
  taxRateId: z.number().int().nullable(),
  priceIncludesTax: z.boolean(),
  stock: z.number().meta({ description: 'Quantity on hand in all warehouses; 0 for a service.' }),
  averageCost: z
    .number()
    .nullable()
    .meta({ description: 'Average cost per unit in the base currency; null if none is on hand.' }),
  reorderLevel: z.number().nullable(),
  barcode: z.string().nullable(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const exampleProduct = {
  id: 1,
  code: 'LAMP-01',
  name: 'Desk lamp',
  description: null,
  type: 'goods',
  categoryId: 1,
  categoryName: 'Lighting',
  unit: 'C62',
  price: 49.9,
  currencyCode: 'EUR',
  taxRateId: null,
  priceIncludesTax: false,
  stock: 120,
  averageCost: 21.5,
  reorderLevel: 20,
  barcode: '4006381333931',
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

/** Response body of a product. The price is in the currency of the product, the average cost in the base currency. */
export const presentProduct = ({ record, categoryName, stock, averageCost }: ProductDetail) => ({
  id: record.id,
  code: record.code,
  name: record.name,
  description: record.description,
  type: record.type,
  categoryId: record.categoryId,
  categoryName,
  unit: record.unit,
  price: record.price,
  currencyCode: record.currencyCode,
  taxRateId: record.taxRateId,
  priceIncludesTax: record.priceIncludesTax,
  stock,
  averageCost,
  reorderLevel: record.reorderLevel,
  barcode: record.barcode,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});
