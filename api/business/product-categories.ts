import { z } from 'zod';
import type { ProductCategoryRecord } from '../../models/business/product';
import { CATEGORY_SORT_FIELDS, createCategory, listCategories } from '../../services/business/product-categories';
import { defineRoute } from '../route';
import type { Route } from '../route';
import { callerOf } from './caller';
import { line } from './fields';
import { activeParameter, createdFilter, listAnswer, listParameters, listQuery, listShape } from './listing';

const categoryShape = z.object({ id: z.number().int(), name: z.string(), active: z.boolean() });
const exampleCategory = { id: 1, name: 'Lighting', active: true };
const categoryView = ({ id, name, active }: ProductCategoryRecord) => ({ id, name, active });

const categories = defineRoute({
  method: 'get',
  path: '/api/products/categories',
  operationId: 'listProductCategories',
  summary: 'List categories',
  tag: 'Products and inventory',
  permission: 'products:read',
  query: z.strictObject({ ...listParameters(CATEGORY_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of categories and the exact total.',
      schema: listShape(categoryShape),
      example: { data: [exampleCategory], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const asked = listQuery(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...createdFilter(query, caller.company.timeZone) };
    const { rows, totalCount } = await listCategories(caller, filter, asked);
    return { status: 200, body: listAnswer(rows.map(categoryView), totalCount, asked) };
  },
});

const makeCategory = defineRoute({
  method: 'post',
  path: '/api/products/categories',
  operationId: 'createProductCategory',
  summary: 'Create a category',
  tag: 'Products and inventory',
  addition: true,
  permission: 'products:create',
  idempotent: true,
  body: z.strictObject({ name: line(100) }),
  bodyExample: { name: 'Lighting' },
  replies: {
    201: {
      description: 'The category.',
      schema: z.object({ data: categoryShape, message: z.string() }),
      example: { data: exampleCategory, message: 'Category Lighting created.' },
    },
  },
  errors: { 409: 'Another category has the name (`name_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body }) {
    const caller = await callerOf(context);
    const category = await createCategory(context.platform, caller, body.name, context.idempotency);
    return { status: 201, body: { data: categoryView(category), message: `Category ${category.name} created.` } };
  },
});

export const categoryRoutes: readonly Route[] = [categories, makeCategory];
