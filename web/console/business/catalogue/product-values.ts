import type { BusinessBody } from '../../../../clients/typescript/src/calls';
import type { Product } from '../records/record-select';

/** A product as it is edited; an empty field is not set. */
export interface ProductValues extends Record<string, unknown> {
  name: string;
  code: string;
  type: 'goods' | 'service';
  description: string;
  categoryId: string | null;
  unit: string;
  price: number | string;
  currencyCode: string | null;
  taxRateId: string | null;
  priceIncludesTax: boolean;
  reorderLevel: number | string;
  barcode: string;
  active: boolean;
  /** Opening stock of a new product, and its cost per unit. */
  initialStock: { quantity: number | string; unitCost: number | string };
}

/** @param product null for the initial values of a new one: goods, counted in pieces (`C62`) */
export const readProductValues = (product: Product | null): ProductValues => ({
  name: product?.name ?? '',
  code: product?.code ?? '',
  type: product?.type ?? 'goods',
  description: product?.description ?? '',
  categoryId: product?.categoryId == null ? null : String(product.categoryId),
  unit: product?.unit ?? 'C62',
  price: product?.price ?? '',
  currencyCode: product?.currencyCode ?? null,
  taxRateId: product?.taxRateId == null ? null : String(product.taxRateId),
  priceIncludesTax: product?.priceIncludesTax ?? false,
  reorderLevel: product?.reorderLevel ?? '',
  barcode: product?.barcode ?? '',
  active: product?.active ?? true,
  initialStock: { quantity: '', unitCost: '' },
});

/** The fields of a product that can always be changed. */
const toCommonBody = (values: ProductValues) => ({
  name: values.name,
  ...(values.code === '' ? {} : { code: values.code }),
  description: values.description || null,
  categoryId: values.categoryId === null ? null : Number(values.categoryId),
  unit: values.unit || undefined,
  price: values.price === '' ? undefined : Number(values.price),
  currencyCode: values.currencyCode ?? undefined,
  taxRateId: values.taxRateId === null ? null : Number(values.taxRateId),
  priceIncludesTax: values.priceIncludesTax,
  reorderLevel: values.reorderLevel === '' ? null : Number(values.reorderLevel),
  barcode: values.barcode || null,
});

/** Sends an opening stock only for goods with a quantity; its cost may be left to the service. */
export function toNewProduct(values: ProductValues): BusinessBody<'createProduct'> {
  const { type, initialStock } = values;
  const { quantity, unitCost } = initialStock;
  const hasStock = type === 'goods' && quantity !== '' && Number(quantity) > 0;
  return {
    ...toCommonBody(values),
    type,
    ...(hasStock
      ? {
          initialStock: {
            quantity: Number(quantity),
            ...(unitCost === '' ? {} : { unitCost: Number(unitCost) }),
          },
        }
      : {}),
  };
}

/** Omits the type and the opening stock, which cannot be changed afterwards. */
export const toProductChanges = (values: ProductValues): BusinessBody<'updateProduct'> => ({
  ...toCommonBody(values),
  active: values.active,
});
