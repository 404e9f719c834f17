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
import { getCaller } from '../caller';
import { flag, idPath, line, readOnlyField } from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const categorySchema = z.object({ id: z.number().int(), name: z.string(), active: z.boolean() });
const exampleCategory = { id: 1, name: 'Lighting', active: true };
const presentCategory = ({ id, name, active }: ProductCategoryRecord) => ({ id, name, active });

const list = defineRoute({
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
      schema: buildListSchema(categorySchema),
      example: { data: [exampleCategory], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, caller.company.timeZone) };
    const { rows, totalCount } = await listCategories(caller, filter, listRequest);
    return { status: 200, body: buildListResponse(rows.map(presentCategory), totalCount, listRequest) };
  },
});

const create = defineRoute({
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
      schema: z.object({ data: categorySchema, message: z.string() }),
      example: { data: exampleCategory, message: 'Category Lighting created.' },
    },
  },
  errors: { 409: 'Another category has the name (`name_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const category = await createCategory(context.platform, caller, body.name, context.idempotency);
    return {
      status: 201,
      headers: buildEtagHeader(category.version),
      body: { data: presentCategory(category), message: `Category ${category.name} created.` },
    };
  },
});

const update = defineRoute({
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
  body: z.strictObject({ name: line(100).optional(), active: flag.optional(), id: readOnlyField }),
  bodyExample: { name: 'Lamps' },
  replies: {
    200: {
      description: 'The category as it is now.',
      schema: z.object({ data: categorySchema }),
      example: { data: exampleCategory },
    },
  },
  errors: { 409: 'Another category has the name (`name_taken`).', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const input = stripReadOnlyFields(body, presentCategory(await getCategory(caller, params.id)), ['id']);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const category = await updateCategory(context.platform, caller, at, input);
    return { status: 200, headers: buildEtagHeader(category.version), body: { data: presentCategory(category) } };
  },
});

export const categoryRoutes: readonly Route[] = [list, create, update];
