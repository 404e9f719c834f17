import { z } from 'zod';
import type { StockDocumentRecord } from '../../../models/business/stock/stock-document';
import { ADJUSTMENT_KIND, checkAdjustmentLines } from '../../../services/business/stock/stock-adjustments';
import { createStockDocument, dryRunStockDocument } from '../../../services/business/stock/stock-document-posting';
import {
  getStockDocument,
  listStockDocuments,
  STOCK_DOCUMENT_SORT_FIELDS,
} from '../../../services/business/stock/stock-documents';
import { listStock } from '../../../services/business/stock/stock-levels';
import { TRANSFER_KIND } from '../../../services/business/stock/stock-transfers';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import { dryRunQuery, idPath, instant, level, line, quantity, recordId, signedQuantity, unitPrice } from '../fields';
import {
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdsParameter,
} from '../listing';
import { asOfParameter, parseAsOf } from './valuation';

const TAG = 'Products and inventory';
const MAX_LINES = 500;

const stockLevelSchema = z.object({
  productId: z.number().int(),
  productCode: z.string(),
  productName: z.string(),
  warehouseId: z.number().int(),
  warehouseCode: z.string(),
  warehouseName: z.string(),
  onHand: z.number(),
  reserved: z
    .number()
    .nullable()
    .meta({ 'x-addition': true, description: 'Quantity that confirmed sales orders reserve; null with `asOf`.' }),
  available: z
    .number()
    .nullable()
    .meta({ 'x-addition': true, description: 'Quantity on hand that is not reserved; null with `asOf`.' }),
  averageCost: z
    .number()
    .nullable()
    .meta({ description: 'Average cost per unit in the base currency, across all warehouses.' }),
  value: z.number().meta({
    'x-addition': true,
    description:
      'Value in the base currency: the share of the quantity in the value of the product. The values of all warehouses add up to it.',
  }),
});

const stock = defineRoute({
  method: 'get',
  path: '/api/inventory/stock',
  operationId: 'listStock',
  summary: 'Stock by warehouse',
  description:
    'Sorted by product, then warehouse. `asOf` returns the stock at a past time. `dateFrom` and `dateTo` filter by the creation of the product.',
  tag: TAG,
  permission: 'inventory:read',
  query: z.strictObject({
    ...listParameters(['productId']),
    productId: recordIdsParameter('a product'),
    warehouseId: recordIdsParameter('a warehouse'),
    asOf: asOfParameter,
  }),
  replies: {
    200: {
      description: 'A page of stock levels and the exact total.',
      schema: buildListSchema(stockLevelSchema),
      example: {
        data: [
          {
            productId: 1,
            productCode: 'LAMP-01',
            productName: 'Desk lamp',
            warehouseId: 1,
            warehouseCode: 'MAIN',
            warehouseName: 'Main warehouse',
            onHand: 12,
            reserved: 2,
            available: 10,
            averageCost: 3.335,
            value: 40.02,
          },
        ],
        totalCount: 1,
        page: 1,
        pageSize: 20,
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'productId', dir: 'asc' });
    const asOf = parseAsOf(query.asOf, caller.company);
    const { page, pageSize, search, sortDir } = listRequest;
    const { productId, warehouseId } = query;
    const created = parseCreatedFilter(query, timeZone);
    const filter = { ...created, productId, warehouseId, search, asOf, sortDir, page, pageSize };
    const { rows, totalCount } = await listStock(caller, filter);
    return { status: 200, body: serializeResponse(buildListResponse(rows, totalCount, listRequest), timeZone) };
  },
});

const stockLineSchema = z.object({
  lineId: z.number().int(),
  productId: z.number().int(),
  productCode: z.string(),
  productName: z.string(),
  quantity: z.number(),
});

const adjustmentSchema = z.object({
  id: z.number().int(),
  warehouseId: z.number().int(),
  reason: z.string(),
  lines: z.array(
    stockLineSchema.extend({
      value: z.number().meta({ description: 'Signed change of the value in the base currency.' }),
    }),
  ),
  createdAt: instant,
});

const transferSchema = z.object({
  id: z.number().int(),
  fromWarehouseId: z.number().int(),
  toWarehouseId: z.number().int(),
  reason: z.string().nullable(),
  lines: z.array(stockLineSchema),
  createdAt: instant,
});

const presentAdjustment = ({ id, warehouseId, reason, lines, createdAt }: StockDocumentRecord) => ({
  id,
  warehouseId,
  reason: reason ?? '',
  lines: lines.map(({ lineId, productId, productCode, productName, quantity: moved, value }) => ({
    lineId,
    productId,
    productCode,
    productName,
    quantity: moved,
    value,
  })),
  createdAt,
});

const presentTransfer = ({ id, warehouseId, toWarehouseId, reason, lines, createdAt }: StockDocumentRecord) => ({
  id,
  fromWarehouseId: warehouseId,
  // Null only in adjustments, which have one warehouse.
  toWarehouseId: toWarehouseId ?? warehouseId,
  reason,
  lines: lines.map(({ lineId, productId, productCode, productName, quantity: moved }) => ({
    lineId,
    productId,
    productCode,
    productName,
    quantity: moved,
  })),
  createdAt,
});

const buildStockLinesSchema = <T extends z.ZodType>(schema: T) =>
  z
    .array(schema, { error: 'must be an array' })
    .min(1, 'must have at least 1 line')
    .max(MAX_LINES, `must have at most ${MAX_LINES} lines`);

const adjust = defineRoute({
  method: 'post',
  path: '/api/inventory/adjustments',
  operationId: 'createAdjustment',
  summary: 'Create an inventory adjustment',
  description:
    'Changes the quantity on hand by a difference, or to the quantity that was counted. Added units are valued at a cost, removed units at the moving average.',
  tag: TAG,
  permission: 'inventory:adjust',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({
    warehouseId: recordId,
    reason: line(500),
    lines: buildStockLinesSchema(
      z
        .strictObject({
          productId: recordId,
          quantityDelta: signedQuantity.optional().meta({
            type: 'number',
            description: 'Signed change of the quantity; the alternative to countedQuantity.',
          }),
          countedQuantity: level
            .optional()
            .meta({ type: 'number', description: 'Quantity that was counted in the warehouse.' }),
          unitCost: unitPrice.optional().meta({
            type: 'number',
            description:
              'Cost per added unit in the base currency; 0 is accepted. Default: the moving average cost. Required for added units while the stock of the product has no value. Rejected if no units are added: an adjustment does not revalue the goods on hand.',
          }),
        })
        .meta({ oneOf: [{ required: ['quantityDelta'] }, { required: ['countedQuantity'] }] }),
    ),
  }),
  bodyExample: { warehouseId: 1, reason: 'Stock-taking', lines: [{ productId: 1, countedQuantity: 12 }] },
  replies: {
    201: { description: 'The adjustment.', schema: z.object({ data: adjustmentSchema, message: z.string() }) },
    200: {
      description: 'Dry run: the document as it would be posted, without an id.',
      schema: z.object({ data: adjustmentSchema.extend({ id: z.null() }) }),
    },
  },
  errors: {
    409: 'The quantity on hand is not sufficient (`insufficient_stock`), today is locked (`period_locked`), or the Idempotency-Key is in use.',
  },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    checkAdjustmentLines(body.lines);
    if (query.dryRun === 'true') {
      const dryRun = await dryRunStockDocument(context.platform, caller, ADJUSTMENT_KIND, body);
      return { status: 200, body: serializeResponse({ data: { ...presentAdjustment(dryRun), id: null } }, timeZone) };
    }
    const record = await createStockDocument(buildRequest(context, caller), ADJUSTMENT_KIND, body);
    const message = `Adjustment ${record.id} posted.`;
    return { status: 201, body: serializeResponse({ data: presentAdjustment(record), message }, timeZone) };
  },
});

const transfer = defineRoute({
  method: 'post',
  path: '/api/inventory/transfers',
  operationId: 'createTransfer',
  summary: 'Create a transfer between warehouses',
  description: 'Moves all lines or none. The value of the goods does not change.',
  tag: TAG,
  permission: 'inventory:transfer',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({
    fromWarehouseId: recordId,
    toWarehouseId: recordId,
    reason: line(500).optional(),
    lines: buildStockLinesSchema(z.strictObject({ productId: recordId, quantity })),
  }),
  bodyExample: { fromWarehouseId: 1, toWarehouseId: 2, lines: [{ productId: 1, quantity: 3 }] },
  replies: {
    201: { description: 'The transfer.', schema: z.object({ data: transferSchema, message: z.string() }) },
    200: {
      description: 'Dry run: the document as it would be posted, without an id.',
      schema: z.object({ data: transferSchema.extend({ id: z.null() }) }),
    },
  },
  errors: { 409: 'The quantity on hand is not sufficient (`insufficient_stock`), or the Idempotency-Key is in use.' },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    if (query.dryRun === 'true') {
      const dryRun = await dryRunStockDocument(context.platform, caller, TRANSFER_KIND, body);
      return { status: 200, body: serializeResponse({ data: { ...presentTransfer(dryRun), id: null } }, timeZone) };
    }
    const record = await createStockDocument(buildRequest(context, caller), TRANSFER_KIND, body);
    const message = `Transfer ${record.id} posted.`;
    return { status: 201, body: serializeResponse({ data: presentTransfer(record), message }, timeZone) };
  },
});

/** The routes that read the documents of one type. */
function defineReadRoutes<T extends Record<string, unknown>>(
  type: StockDocumentRecord['type'],
  name: 'Adjustment' | 'Transfer',
  documentSchema: z.ZodType<T, T>,
  present: (record: StockDocumentRecord, timeZone: string) => T,
): Route[] {
  const schema: z.ZodType<Record<string, unknown>, Record<string, unknown>> = documentSchema;
  const path = `/api/inventory/${type}s`;
  return [
    defineRoute({
      method: 'get',
      path,
      operationId: `list${name}s`,
      summary: `List ${type}s`,
      tag: TAG,
      addition: true,
      permission: 'inventory:read',
      query: z.strictObject(listParameters(STOCK_DOCUMENT_SORT_FIELDS)),
      replies: { 200: { description: `A page of ${type}s and the exact total.`, schema: buildListSchema(schema) } },
      async handle(context, { query }) {
        const caller = await getCaller(context);
        const { timeZone } = caller.company;
        const listRequest = toListRequest(query, { by: 'id', dir: 'desc' });
        const { rows, totalCount } = await listStockDocuments(
          caller,
          type,
          parseCreatedFilter(query, timeZone),
          listRequest,
        );
        const data: Record<string, unknown>[] = rows.map((record) => present(record, timeZone));
        return { status: 200, body: buildListResponse(data, totalCount, listRequest) };
      },
    }),
    defineRoute({
      method: 'get',
      path: `${path}/:id`,
      operationId: `get${name}`,
      summary: `${name} detail`,
      tag: TAG,
      addition: true,
      permission: 'inventory:read',
      params: idPath,
      replies: { 200: { description: `The ${type}.`, schema: z.object({ data: schema }) } },
      async handle(context, { params }) {
        const caller = await getCaller(context);
        const record = await getStockDocument(caller, type, params.id);
        const data: Record<string, unknown> = present(record, caller.company.timeZone);
        return { status: 200, body: { data } };
      },
    }),
  ];
}

export const inventoryRoutes: readonly Route[] = [
  stock,
  adjust,
  transfer,
  ...defineReadRoutes('adjustment', 'Adjustment', adjustmentSchema, (record, timeZone) =>
    serializeResponse(presentAdjustment(record), timeZone),
  ),
  ...defineReadRoutes('transfer', 'Transfer', transferSchema, (record, timeZone) =>
    serializeResponse(presentTransfer(record), timeZone),
  ),
];
