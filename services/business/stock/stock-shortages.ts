import type { Decimal } from '../../../domain/business/decimal';
import { conflictError } from '../../../domain/errors';

/** Goods of which more is asked for than there is. */
export interface Shortage {
  field: string;
  productId: number;
  productCode: string;
  productName: string;
  warehouseId: number;
  requested: Decimal;
  available: Decimal;
}

/** The refusal that names each product and what is available of it. */
export function insufficientStockError(shortages: readonly Shortage[]) {
  const described = shortages.map((shortage) => ({
    field: shortage.field,
    problem: `${shortage.productName} (${shortage.productCode}): ${shortage.available.toFixed()} available in warehouse ${shortage.warehouseId}, ${shortage.requested.toFixed()} asked for`,
  }));
  return conflictError(
    'insufficient_stock',
    `Not enough stock: ${described.map(({ problem }) => problem).join('; ')}. The same request can succeed only after stock comes in.`,
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
