import { z } from 'zod';
import { readPostedUntil } from '../../../domain/business/settings/business-days';
import type { BusinessCalendar } from '../../../domain/business/settings/business-days';
import { invalidFieldError } from '../../../domain/errors';
import { readStockValuation } from '../../../services/business/stock/stock-valuation';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { DATE_OR_TIME, instant } from '../fields';
import { buildListResponse, buildListSchema, listParameters, recordIdsParameter, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';

const { page, pageSize } = listParameters(['productId']);

/** The time of stock levels and values. */
export const asOfParameter = z
  .string({ error: 'must be a date or date-time' })
  .optional()
  .meta({
    ...DATE_OR_TIME,
    'x-addition': true,
    description: 'Time of the stock levels; a date means the end of that day in the time zone of the company.',
    example: '2026-11-21',
  });

/** Reads `asOf` as an exclusive time. @throws AppError 400 */
export function parseAsOf(asOf: string | undefined, calendar: BusinessCalendar): Date | undefined {
  if (asOf === undefined) return undefined;
  const reading = readPostedUntil(asOf, calendar);
  if ('problem' in reading) throw invalidFieldError('asOf', reading.problem);
  return reading.value;
}

const warehouseTotalSchema = z.object({
  warehouseId: z.number().int(),
  warehouseCode: z.string(),
  warehouseName: z.string(),
  value: z.number(),
});

const valuation = defineRoute({
  method: 'get',
  path: '/api/inventory/valuation',
  operationId: 'getStockValuation',
  summary: 'Value of stock at a time',
  description:
    'Quantity, unit cost and value of each product in each warehouse, sorted by product and warehouse, and the exact totals of all pages. Amounts are in the base currency. The total is the balance of the inventory account in the journal at that time. Goods are valued at their average cost across all warehouses; the values of the warehouses of a product add up to its value.',
  tag: 'Products and inventory',
  addition: true,
  permission: 'inventory:read',
  query: z.strictObject({
    page,
    pageSize,
    productId: recordIdsParameter('a product'),
    warehouseId: recordIdsParameter('a warehouse'),
    asOf: asOfParameter,
  }),
  replies: {
    200: {
      description: 'A page of values and the exact totals.',
      schema: buildListSchema(
        z.object({
          productId: z.number().int(),
          productCode: z.string(),
          productName: z.string(),
          warehouseId: z.number().int(),
          warehouseCode: z.string(),
          warehouseName: z.string(),
          quantity: z.number(),
          unitCost: z.number().meta({ description: 'Average cost per unit, across all warehouses.' }),
          value: z.number(),
        }),
      ).extend({
        asOf: instant.nullable().meta({ description: 'The last millisecond that is included; null: now.' }),
        baseCurrencyCode: z.string(),
        totals: z.object({
          value: z.number().meta({ description: 'Of all pages.' }),
          warehouses: z.array(warehouseTotalSchema),
        }),
      }),
      example: {
        data: [
          {
            productId: 1,
            productCode: 'LAMP-01',
            productName: 'Desk lamp',
            warehouseId: 1,
            warehouseCode: 'MAIN',
            warehouseName: 'Main warehouse',
            quantity: 12,
            unitCost: 3.335,
            value: 40.02,
          },
        ],
        totalCount: 1,
        page: 1,
        pageSize: 20,
        asOf: '2026-11-21T23:59:59.999+01:00',
        baseCurrencyCode: 'EUR',
        totals: {
          value: 40.02,
          warehouses: [{ warehouseId: 1, warehouseCode: 'MAIN', warehouseName: 'Main warehouse', value: 40.02 }],
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone, baseCurrencyCode } = caller.company;
    const request = toListRequest(query, { by: 'productId', dir: 'asc' });
    const until = parseAsOf(query.asOf, caller.company);
    const { productId, warehouseId } = query;
    const found = await readStockValuation(caller, { ...request, productId, warehouseId, asOf: until });
    const asOf = until === undefined ? null : new Date(until.getTime() - 1);
    const { rows, totalCount, totals } = found;
    const body = { ...buildListResponse(rows, totalCount, request), asOf, baseCurrencyCode, totals };
    return { status: 200, body: serializeResponse(body, timeZone) };
  },
});

export const stockValuationRoutes: readonly Route[] = [valuation];
