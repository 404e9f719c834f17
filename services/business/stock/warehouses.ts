import { Types } from 'mongoose';
import { buildSearchTokens } from '../../../domain/business/search-tokens';
import { conflictError } from '../../../domain/errors';
import { StockBalance } from '../../../models/business/stock/stock';
import { Warehouse } from '../../../models/business/stock/warehouse';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import type { IdempotentUse } from '../../platform/transactions/idempotency';
import type { Platform } from '../../platform/platform';
import type { UnitOfWork } from '../../platform/transactions/unit-of-work';
import type { BusinessCaller } from '../access/caller';
import { requireNotDefault } from '../settings/company-defaults';
import type { ActiveFilter, CreatedFilter, ListPage, ListQuery } from '../records/lists';
import { createRecord, getRecord, listRecords, omitUndefined, updateRecord } from '../records/records';
import type { RecordKind, RecordReference } from '../records/records';

const KIND: RecordKind<WarehouseRecord> = {
  model: Warehouse,
  name: 'warehouse',
  counter: 'warehouses',
  unique: 'code',
  where: (key) => key,
};

export const WAREHOUSE_SORT_FIELDS = ['id', 'code', 'name', 'createdAt'] as const;

/** The fields that a client can set; undefined leaves a field as it is. */
export interface WarehouseInput {
  code?: string | undefined;
  name?: string | undefined;
  active?: boolean | undefined;
}

function apply(record: WarehouseRecord, input: WarehouseInput, now: Date): WarehouseRecord {
  const changed = { ...record, ...omitUndefined(input), updatedAt: now };
  return { ...changed, tokens: buildSearchTokens([changed.code, changed.name]) };
}

/** Creates a warehouse; the code defaults to `W` and the id. @throws AppError 409 `code_taken` */
export const createWarehouse = (
  platform: Platform,
  caller: BusinessCaller,
  input: { name: string; code?: string | undefined },
  use: IdempotentUse | undefined,
): Promise<WarehouseRecord> =>
  createRecord(platform, caller, KIND, use, (id, now) => {
    const blank: WarehouseRecord = {
      _id: new Types.ObjectId(),
      organisationId: caller.organisationId,
      id,
      code: `W${id}`,
      name: input.name,
      active: true,
      arrivalsGuard: 0,
      tokens: [],
      version: 1,
      createdAt: now,
      updatedAt: now,
    };
    return apply(blank, input, now);
  });

/** @throws AppError 404, also for the id of another organisation */
export const getWarehouse = (caller: BusinessCaller, id: number): Promise<WarehouseRecord> =>
  getRecord(caller, KIND, id);

/** Goods in an inactive warehouse could be neither sold nor moved. @throws AppError 409 `warehouse_not_empty` */
async function requireEmpty(unit: UnitOfWork, { organisationId }: BusinessCaller, id: number): Promise<void> {
  const zero = Types.Decimal128.fromString('0');
  const held = { organisationId, warehouseId: id, onHand: { $ne: zero } };
  if ((await StockBalance.exists(held).session(unit.mongoSession)) === null) return;
  throw conflictError(
    'warehouse_not_empty',
    'active: there are goods in the warehouse; transfer or adjust them first.',
    {
      fields: [{ field: 'active', problem: 'must be true while there are goods in the warehouse' }],
    },
  );
}

/**
 * Changes the fields that are sent. An inactive warehouse cannot be used in new documents.
 * @throws AppError 404, 409 `code_taken`, `is_default` or `warehouse_not_empty`, 412
 */
export const updateWarehouse = (
  platform: Platform,
  caller: BusinessCaller,
  at: RecordReference,
  input: WarehouseInput,
): Promise<WarehouseRecord> =>
  updateRecord(
    platform,
    caller,
    KIND,
    at,
    { fields: Object.keys(omitUndefined(input)) },
    async (current, now, unit) => {
      const changed = apply(current, input, now);
      if (current.active && !changed.active) {
        await requireNotDefault(unit, caller, 'defaultWarehouseId', at.id);
        await requireEmpty(unit, caller, at.id);
      }
      return changed;
    },
  );

/** One page of warehouses with the exact total. */
export const listWarehouses = (
  caller: BusinessCaller,
  filter: ActiveFilter & CreatedFilter,
  query: ListQuery,
): Promise<ListPage<WarehouseRecord>> => listRecords(caller, KIND, filter, query);
