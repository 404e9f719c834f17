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
    'Active products whose stock in all warehouses is at their reorder level or below, the greatest shortage first.',
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
            onHand: 3,
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
