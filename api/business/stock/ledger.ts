import { z } from 'zod';
import { readPostedFrom, readPostedUntil } from '../../../domain/business/settings/business-days';
import { STOCK_MOVEMENT_KINDS } from '../../../models/business/stock/stock';
import { MOVEMENT_SOURCE_TYPES } from '../../../services/business/stock/movement-sources';
import { MAX_CURSOR_LENGTH } from '../../../services/business/stock/stock-ledger-cursor';
import { readStockLedger } from '../../../services/business/stock/stock-ledger';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { instant, MAX_ID } from '../fields';
import { choicesParameter, listParameters, parseInstantRange, recordIdParameter } from '../listing';
import { serializeResponse } from '../serialization';

const { pageSize, dateFrom, dateTo } = listParameters(['sequence']);

const movementSchema = z.object({
  sequence: z.number().int().meta({ description: 'Number of the movement within the product, from 1 without gaps.' }),
  postedAt: instant,
  kind: z.enum(STOCK_MOVEMENT_KINDS),
  warehouseId: z.number().int(),
  warehouseCode: z.string(),
  warehouseName: z.string(),
  quantity: z.number().meta({ description: 'Negative for goods that leave.' }),
  value: z.number().meta({ description: 'Change of the value of the stock in the base currency.' }),
  quantityAfter: z.number().meta({ description: 'Of the product in all warehouses.' }),
  valueAfter: z.number().meta({ description: 'Of the product in all warehouses.' }),
  warehouseQuantityAfter: z.number().meta({ description: 'Of the product in the warehouse of the movement.' }),
  warehouseValueAfter: z.number().meta({
    description: 'Share of that quantity in `valueAfter`, as in the valuation.',
  }),
  source: z
    .object({
      type: z.enum(MOVEMENT_SOURCE_TYPES),
      id: z.number().int(),
      number: z.string().nullable().meta({ description: 'Null if documents of the type have no number.' }),
      path: z.string().meta({ description: 'Path of the document in this API.' }),
    })
    .meta({ description: 'The document that moved the goods; the product itself for its opening stock.' }),
});

const productId = z
  .string({ error: 'is required; must be the number of a product' })
  .regex(/^[1-9]\d{0,14}$/, 'must be the number of a product')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: MAX_ID });

const ledger = defineRoute({
  method: 'get',
  path: '/api/inventory/ledger',
  operationId: 'listStockMovements',
  summary: 'Stock ledger of a product',
  description:
    'The movements of a product in the order in which they were posted, with quantity and value after each, and the stock before the first (`opening`). Filters hide movements; the figures after each remain those of all. With `warehouseId`, `opening` is that of the warehouse.',
  tag: 'Products and inventory',
  addition: true,
  permission: 'inventory:read',
  query: z.strictObject({
    productId,
    warehouseId: recordIdParameter('a warehouse'),
    kind: choicesParameter(STOCK_MOVEMENT_KINDS),
    dateFrom,
    dateTo,
    pageSize,
    cursor: z
      .string({ error: 'must be given once' })
      .max(MAX_CURSOR_LENGTH, `must have at most ${MAX_CURSOR_LENGTH} characters`)
      .optional()
      .meta({ description: 'The `nextCursor` of the previous page, with the same filters.' }),
  }),
  replies: {
    200: {
      description: 'A page of movements.',
      schema: z.object({
        data: z.array(movementSchema),
        opening: z
          .object({ quantity: z.number(), value: z.number() })
          .meta({ description: 'Stock before `dateFrom`; zero without it.' }),
        nextCursor: z.string().nullable().meta({ description: 'Null on the last page.' }),
      }),
      example: {
        data: [
          {
            sequence: 7,
            postedAt: '2026-11-21T10:12:00.000+01:00',
            kind: 'invoice',
            warehouseId: 1,
            warehouseCode: 'MAIN',
            warehouseName: 'Main warehouse',
            quantity: -2,
            value: -6.67,
            quantityAfter: 10,
            valueAfter: 33.35,
            warehouseQuantityAfter: 10,
            warehouseValueAfter: 33.35,
            source: { type: 'invoice', id: 3, number: 'INV-2026-0003', path: '/api/invoices/3' },
          },
        ],
        opening: { quantity: 12, value: 40.02 },
        nextCursor: null,
      },
    },
  },
  errors: { 404: 'The product does not exist.' },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const { rows, opening, nextCursor } = await readStockLedger(caller, {
      productId: query.productId,
      warehouseId: query.warehouseId,
      kinds: query.kind,
      ...parseInstantRange(query, {
        from: (text) => readPostedFrom(text, caller.company),
        until: (text) => readPostedUntil(text, caller.company),
      }),
      limit: query.pageSize ?? 50,
      cursor: query.cursor,
    });
    return { status: 200, body: serializeResponse({ data: rows, opening, nextCursor }, timeZone) };
  },
});

export const stockLedgerRoutes: readonly Route[] = [ledger];
