import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { ZERO } from '../../../domain/business/decimal';
import type { Decimal } from '../../../domain/business/decimal';
import { invalidRequestError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockDocument } from '../../../models/business/stock/stock-document';
import type { StockDocumentRecord } from '../../../models/business/stock/stock-document';
import { reserveNumber } from '../../platform/transactions/counters';
import { runIdempotently } from '../../platform/transactions/idempotency';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import { dryRunTransaction, runTransaction } from '../../platform/transactions/unit-of-work';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { transferStock } from './stock-movements';
import { getStockDocument, buildStockLine, readReferencedGoods, buildStockDocument } from './stock-documents';

export interface TransferInput {
  fromWarehouseId: number;
  toWarehouseId: number;
  reason?: string | undefined;
  lines: { productId: number; quantity: Decimal }[];
}

async function writeTransfer(
  platform: Platform,
  unit: UnitOfWork,
  caller: BusinessCaller,
  input: TransferInput,
  id: number,
  products: ReadonlyMap<number, ProductRecord>,
): Promise<StockDocumentRecord> {
  const { organisationId, company } = caller;
  const { fromWarehouseId, toWarehouseId } = input;
  const reason = input.reason ?? null;
  const at = platform.clock.now();
  const baseDecimals = getCurrencyDecimals(company.baseCurrencyCode);
  const posting = { organisationId, kind: 'transfer', invoiceId: null, sourceId: id, baseDecimals, at } as const;
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
  const record = buildStockDocument(platform, caller, {
    type: 'transfer',
    id,
    warehouseId: fromWarehouseId,
    toWarehouseId,
    reason,
    lines,
  });
  await StockDocument.create([record], { session: unit.mongoSession });
  await unit.audit(caller, { actor: caller.id, action: 'inventory.transferred', subject: `transfer:${id}` });
  return record;
}

const requireDifferentWarehouses = ({ fromWarehouseId, toWarehouseId }: TransferInput): void => {
  if (fromWarehouseId === toWarehouseId)
    throw invalidRequestError([{ field: 'toWarehouseId', problem: 'must be another warehouse than fromWarehouseId' }]);
};

/**
 * Moves goods between warehouses, all lines or none; their value is untouched.
 * @throws AppError 400; 409 `insufficient_stock`
 */
export async function createTransfer(
  platform: Platform,
  caller: BusinessCaller,
  input: TransferInput,
  use: IdempotentUse | undefined,
): Promise<StockDocumentRecord> {
  return runIdempotently(
    platform,
    use,
    async (claim) => {
      requireDifferentWarehouses(input);
      const { fromWarehouseId, toWarehouseId } = input;
      const products = await readReferencedGoods(caller, { fromWarehouseId, toWarehouseId }, input.lines);
      const id = await reserveNumber(caller.organisationId, 'transfers');
      return runTransaction(platform, async (unit) => {
        const record = await writeTransfer(platform, unit, caller, input, id, products);
        await claim(unit, String(id), 201);
        return record;
      });
    },
    (recordId) => getStockDocument(caller, 'transfer', Number(recordId)),
  );
}

/** What `createTransfer` would do, with the same refusals; writes nothing. */
export async function dryRunTransfer(
  platform: Platform,
  caller: BusinessCaller,
  input: TransferInput,
): Promise<StockDocumentRecord> {
  requireDifferentWarehouses(input);
  const { fromWarehouseId, toWarehouseId } = input;
  const products = await readReferencedGoods(caller, { fromWarehouseId, toWarehouseId }, input.lines);
  return dryRunTransaction(platform, (unit) => writeTransfer(platform, unit, caller, input, 0, products));
}
