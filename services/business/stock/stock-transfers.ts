import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { invalidRequestError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { StockDocumentKind } from './stock-document-posting';
import { buildStockLine } from './stock-documents';
import { transferStock } from './stock-movements';

export interface TransferInput {
  fromWarehouseId: number;
  toWarehouseId: number;
  reason?: string | undefined;
  lines: { productId: number; quantity: Decimal }[];
}

/**
 * Moves goods between warehouses; the value of the stock does not change.
 * @throws AppError 400; 409 `insufficient_stock`
 */
export const TRANSFER_KIND: StockDocumentKind<TransferInput> = {
  type: 'transfer',
  counter: 'transfers',
  readWarehouses({ fromWarehouseId, toWarehouseId }) {
    if (fromWarehouseId === toWarehouseId)
      throw invalidRequestError([{ field: 'toWarehouseId', problem: 'must differ from fromWarehouseId' }]);
    return { fromWarehouseId, toWarehouseId };
  },
  async postMovements(unit, _caller, input, { posting, products }) {
    const { fromWarehouseId, toWarehouseId } = input;
    const moved = input.lines.flatMap(({ productId, quantity }, index) => {
      const product = products.get(productId);
      return product === undefined ? [] : [buildStockLine(product, index, fromWarehouseId, quantity, 'quantity')];
    });
    await transferStock(unit, posting, moved, toWarehouseId);
    const lines = moved.map(({ lineId, productId, productCode, productName, quantity }) => ({
      lineId,
      productId,
      productCode,
      productName,
      quantity: toDecimal128(quantity),
      value: toDecimal128(ZERO),
    }));
    return { warehouseId: fromWarehouseId, toWarehouseId, reason: input.reason ?? null, lines };
  },
  buildAuditEntry: () => ({ action: 'inventory.transferred' }),
};
