import { ZERO } from '../../../domain/business/decimal';
import { conflictError } from '../../../domain/errors';
import { toDecimal128 } from '../../../models/business/decimal128';
import type { ProductRecord } from '../../../models/business/catalogue/product';
import { StockValue } from '../../../models/business/stock/stock';
import type { StockValueRecord } from '../../../models/business/stock/stock';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/**
 * Rejects another unit of a product that has moved: the quantities of its movements, and its average cost, are in the
 * present one.
 * @throws AppError 409 `unit_in_use`
 */
export async function requireUnitChangeable(
  unit: UnitOfWork,
  { organisationId, id, unit: current }: ProductRecord,
  changed: string | undefined,
): Promise<void> {
  if (changed === undefined || changed === current) return;
  const zero = toDecimal128(ZERO);
  // An update rather than a read, so that a concurrent first movement conflicts and one of the two is repeated.
  const { version } = await StockValue.findOneAndUpdate(
    { organisationId, productId: id },
    { $inc: { version: 0 }, $setOnInsert: { quantity: zero, value: zero } },
    { session: unit.mongoSession, upsert: true, returnDocument: 'after' },
  ).lean<StockValueRecord>();
  if (version === 0) return;
  throw conflictError('unit_in_use', 'unit: the product has stock movements in its present unit; create another one.', {
    fields: [{ field: 'unit', problem: 'cannot change: the product has stock movements' }],
  });
}
