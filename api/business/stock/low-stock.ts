import { z } from 'zod';
import { listLowStock } from '../../../services/business/stock/reorder-list';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { buildListResponse, buildListSchema, listParameters, toListRequest } from '../listing';
import { serializeResponse } from '../serialization';

const { page, pageSize } = listParameters(['shortage']);

const lowStock = defineRoute({
  method: 'get',
  path: '/api/inventory/low-stock',
  operationId: 'listLowStock',
  summary: 'Products to reorder',
  description:
    'Active products of which the quantity available in all warehouses, which is on hand and not reserved by sales orders, is at their reorder level or below, the greatest shortage first. What placed purchase orders will bring (`onOrder`) is stated and not counted.',
  tag: 'Products and inventory',
  addition: true,
  permission: 'inventory:read',
  query: z.strictObject({ page, pageSize }),
  replies: {
    200: {
      description: 'A page of products and the exact total.',
      schema: buildListSchema(
        z.object({
          productId: z.number().int(),
          productCode: z.string(),
          productName: z.string(),
          unit: z.string().meta({ description: 'Unit code of UN/ECE Recommendation 20.' }),
          onHand: z.number(),
          reserved: z.number().meta({ description: 'Quantity on hand that confirmed sales orders reserve.' }),
          available: z.number().meta({ description: 'Quantity on hand that is not reserved.' }),
          onOrder: z.number().meta({ description: 'Quantity of placed purchase orders that has not been received.' }),
          reorderLevel: z.number(),
        }),
      ),
      example: {
        data: [
          {
            productId: 1,
            productCode: 'LAMP-01',
            productName: 'Desk lamp',
            unit: 'C62',
            onHand: 5,
            reserved: 2,
            available: 3,
            onOrder: 20,
            reorderLevel: 10,
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
    const request = toListRequest(query, { by: 'shortage', dir: 'desc' });
    const { rows, totalCount } = await listLowStock(caller, request);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows, totalCount, request), caller.company.timeZone),
    };
  },
});

export const lowStockRoutes: readonly Route[] = [lowStock];
