import { z } from 'zod';
import type { WarehouseRecord } from '../../../models/business/stock/warehouse';
import {
  createWarehouse,
  getWarehouse,
  listWarehouses,
  updateWarehouse,
  WAREHOUSE_SORT_FIELDS,
} from '../../../services/business/stock/warehouses';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { flag, idPath, instant, line, readOnlyField } from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const warehouseSchema = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  isDefault: z.boolean().meta({ description: 'New documents take goods from here unless told otherwise.' }),
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

const presentWarehouse = (record: WarehouseRecord, defaultWarehouseId: number) => ({
  id: record.id,
  code: record.code,
  name: record.name,
  isDefault: record.id === defaultWarehouseId,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const READ_ONLY = ['id', 'isDefault', 'createdAt', 'updatedAt'] as const;
const TAG = 'Products and inventory';
const warehouseReply = { schema: z.object({ data: warehouseSchema }), example: { data: exampleWarehouse } };

const list = defineRoute({
  method: 'get',
  path: '/api/inventory/warehouses',
  operationId: 'listWarehouses',
  summary: 'List warehouses',
  tag: TAG,
  addition: true,
  permission: 'inventory:read',
  query: z.strictObject({ ...listParameters(WAREHOUSE_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of warehouses and the exact total.',
      schema: buildListSchema(warehouseSchema),
      example: { data: [exampleWarehouse], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone, defaultWarehouseId } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listWarehouses(caller, filter, listRequest);
    const data = rows.map((row) => presentWarehouse(row, defaultWarehouseId));
    return { status: 200, body: serializeResponse(buildListResponse(data, totalCount, listRequest), timeZone) };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/inventory/warehouses',
  operationId: 'createWarehouse',
  summary: 'Create a warehouse',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({
    name: line(100),
    code: line(20).optional().meta({ description: 'Unique. Default: W and the id.' }),
  }),
  bodyExample: { name: 'Northern warehouse', code: 'NORTH' },
  replies: {
    201: {
      description: 'The warehouse.',
      schema: z.object({ data: warehouseSchema, message: z.string() }),
      example: { data: exampleWarehouse, message: 'Warehouse NORTH created.' },
    },
  },
  errors: { 409: 'Another warehouse has the code (`code_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone, defaultWarehouseId } = caller.company;
    const record = await createWarehouse(context.platform, caller, body, context.idempotency);
    const message = `Warehouse ${record.code} created.`;
    return {
      status: 201,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentWarehouse(record, defaultWarehouseId), message }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/inventory/warehouses/:id',
  operationId: 'updateWarehouse',
  summary: 'Update a warehouse',
  description: 'Changes what is sent. An inactive warehouse enters no new document. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  params: idPath,
  body: z.strictObject({
    name: line(100).optional(),
    code: line(20).optional(),
    active: flag.optional(),
    id: readOnlyField,
    isDefault: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { name: 'North and east' },
  replies: { 200: { description: 'The warehouse as it is now.', ...warehouseReply } },
  errors: {
    409: '`code_taken`; `is_default`: the company’s default stays active; `warehouse_not_empty`: goods are in it.',
    412: 'The record has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone, defaultWarehouseId } = caller.company;
    const current = serializeResponse(
      presentWarehouse(await getWarehouse(caller, params.id), defaultWarehouseId),
      timeZone,
    );
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await updateWarehouse(context.platform, caller, at, input);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentWarehouse(record, defaultWarehouseId) }, timeZone),
    };
  },
});

export const warehouseRoutes: readonly Route[] = [list, create, update];
