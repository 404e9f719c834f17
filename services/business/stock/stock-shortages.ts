import type { Decimal } from '../../../domain/business/decimal';
import { conflictError } from '../../../domain/errors';

/** Goods whose requested quantity exceeds the available quantity. */
export interface Shortage {
  field: string;
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  requested: Decimal;
  available: Decimal;
}

/** The error that names each product and its available quantity. */
export function insufficientStockError(shortages: readonly Shortage[]) {
  const described = shortages.map((shortage) => ({
    field: shortage.field,
    problem: `${shortage.productName} (${shortage.productCode}): ${shortage.available.toFixed()} available in warehouse ${shortage.warehouseId}, ${shortage.requested.toFixed()} requested`,
  }));
  return conflictError(
    'insufficient_stock',
    `Not enough stock: ${described.map(({ problem }) => problem).join('; ')}. Repeat the request after stock has been received.`,
    {
      fields: described,
      retryable: false,
      shortages: shortages.map(({ productId, warehouseId, requested, available }) => ({
        productId,
        warehouseId,
        requested: requested.toNumber(),
        available: available.toNumber(),
      })),
    },
  );
}
