import { z } from 'zod';
import type { ProductCategoryRecord } from '../../../models/business/catalogue/product';
import {
  CATEGORY_SORT_FIELDS,
  createCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '../../../services/business/catalogue/product-categories';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { callerOf } from '../caller';
import { flag, idPath, line, unread } from '../fields';
import { activeParameter, createdFilter, listAnswer, listParameters, listQuery, listShape } from '../listing';
import { etag, ifMatch, withoutReadOnly } from '../revisions';

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
    return {
      status: 201,
      headers: etag(category.version),
      body: { data: categoryView(category), message: `Category ${category.name} created.` },
    };
  },
});

const changeCategory = defineRoute({
  method: 'put',
  path: '/api/products/categories/:id',
  operationId: 'updateProductCategory',
  summary: 'Update a category',
  description:
    'Changes what is sent. Products keep an inactive category; none is put into it any more. Honours If-Match.',
  tag: 'Products and inventory',
  addition: true,
  permission: 'products:update',
  params: idPath,
  body: z.strictObject({ name: line(100).optional(), active: flag.optional(), id: unread }),
  bodyExample: { name: 'Lamps' },
  replies: {
    200: {
      description: 'The category as it is now.',
      schema: z.object({ data: categoryShape }),
      example: { data: exampleCategory },
    },
  },
  errors: { 409: 'Another category has the name (`name_taken`).', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const input = withoutReadOnly(body, categoryView(await getCategory(caller, params.id)), ['id']);
    const at = { id: params.id, ifMatch: ifMatch(context) };
    const category = await updateCategory(context.platform, caller, at, input);
    return { status: 200, headers: etag(category.version), body: { data: categoryView(category) } };
  },
});

export const categoryRoutes: readonly Route[] = [categories, makeCategory, changeCategory];
