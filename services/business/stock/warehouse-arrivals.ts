import { conflictError } from '../../../domain/errors';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';

/** Goods that are about to be received into a warehouse. */
interface Arrival {
  /** Path of the goods in the request. */
  field: string;
  warehouseId: number;
}

/** Goods in an inactive warehouse could be neither sold nor moved. */
function warehouseInactiveError({ field, warehouseId }: Arrival) {
  const problem = `warehouse ${warehouseId} is inactive; activate it first`;
  return conflictError('warehouse_inactive', `${field}: ${problem}.`, {
    fields: [{ field, problem }],
    warehouseId,
    routes: ['PUT /api/inventory/warehouses/:id'],
  });
}

/**
 * Requires that warehouses which receive goods are active, also for returns. Each warehouse is written, so that an
 * arrival and a concurrent deactivation conflict instead of leaving goods in an inactive warehouse.
 * @throws AppError 409 `warehouse_inactive`
 */
export async function recordArrivals(
  unit: UnitOfWork,
  organisationId: string,
  arrivals: readonly Arrival[],
): Promise<void> {
  const ids = [...new Set(arrivals.map(({ warehouseId }) => warehouseId))].sort((a, b) => a - b);
  for (const id of ids) {
    const entered = await Warehouse.updateOne(
      { organisationId, id, active: true },
      { $inc: { arrivalsGuard: 1 } },
      { session: unit.mongoSession },
    );
    const refused = arrivals.find(({ warehouseId }) => warehouseId === id);
    if (entered.matchedCount === 0 && refused !== undefined) throw warehouseInactiveError(refused);
  }
}
