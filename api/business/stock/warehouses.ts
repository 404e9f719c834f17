import { z } from 'zod';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import type { BusinessCaller } from '../../../services/business/access/caller';
import {
  createWarehouse,
  getWarehouse,
  listWarehouses,
  updateWarehouse,
  WAREHOUSE_SORT_FIELDS,
} from '../../../services/business/stock/warehouses';
import { flag, instant, line, readOnlyFields } from '../fields';
import { activeParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const warehouseSchema = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  isDefault: z.boolean().meta({ description: 'True for the warehouse that new documents use if they name none.' }),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

const exampleWarehouse = {
  id: 2,
  code: 'NORTH',
  name: 'Northern warehouse',
  isDefault: false,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentWarehouse = (record: WarehouseRecord, { company }: BusinessCaller) => ({
  id: record.id,
  code: record.code,
  name: record.name,
  isDefault: record.id === company.defaultWarehouseId,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const READ_ONLY = ['id', 'isDefault', 'createdAt', 'updatedAt'] as const;

export const warehouseRoutes = defineRecordRoutes({
  path: '/api/inventory/warehouses',
  tag: 'Products and inventory',
  nouns: { one: 'warehouse', many: 'warehouses' },
  permissions: { read: 'inventory:read', create: 'config:update', update: 'config:update' },
  ...definePresentation(warehouseSchema, exampleWarehouse, presentWarehouse),
  get: getWarehouse,
  list: {
    operationId: 'listWarehouses',
    summary: 'List warehouses',
    addition: true,
    query: z.strictObject({ ...listParameters(WAREHOUSE_SORT_FIELDS), ...activeParameter }),
    read: (caller, query, listRequest) =>
      listWarehouses(caller, parseActiveFilter(query, caller.company.timeZone), listRequest),
  },
  detail: { operationId: 'getWarehouse', summary: 'Warehouse detail', addition: true },
  create: {
    operationId: 'createWarehouse',
    summary: 'Create a warehouse',
    addition: true,
    body: z.strictObject({
      name: line(100),
      code: line(20)
        .optional()
        .meta({ description: 'Code, unique in the organisation. Default: W followed by the id.' }),
    }),
    bodyExample: { name: 'Northern warehouse', code: 'NORTH' },
    message: ({ code }) => `Warehouse ${code} created.`,
    exampleMessage: 'Warehouse NORTH created.',
    create: createWarehouse,
    errors: { 409: 'Another warehouse has the code (`code_taken`), or the Idempotency-Key is in use.' },
  },
  update: {
    operationId: 'updateWarehouse',
    summary: 'Update a warehouse',
    description:
      'Changes the fields that are sent. An inactive warehouse cannot be used in new documents. Honours If-Match.',
    addition: true,
    body: z.strictObject({
      name: line(100).optional(),
      code: line(20).optional(),
      active: flag.optional(),
      ...readOnlyFields(READ_ONLY),
    }),
    bodyExample: { name: 'North and east' },
    readOnly: READ_ONLY,
    update: updateWarehouse,
    errors: {
      409: '`code_taken`: another warehouse has the code; `is_default`: the default warehouse of the company cannot be deactivated; `warehouse_not_empty`: there are goods in the warehouse.',
    },
  },
});
