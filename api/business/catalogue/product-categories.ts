import { z } from 'zod';
import type { ProductCategoryRecord } from '../../../models/business/catalogue/product';
import {
  CATEGORY_SORT_FIELDS,
  createCategory,
  getCategory,
  listCategories,
  updateCategory,
} from '../../../services/business/catalogue/product-categories';
import { flag, line, readOnlyFields } from '../fields';
import { activeParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const categorySchema = z.object({ id: z.number().int(), name: z.string(), active: z.boolean() });
const exampleCategory = { id: 1, name: 'Lighting', active: true };
const presentCategory = ({ id, name, active }: ProductCategoryRecord) => ({ id, name, active });

const READ_ONLY = ['id'] as const;

export const categoryRoutes = defineRecordRoutes({
  path: '/api/products/categories',
  tag: 'Products and inventory',
  nouns: { one: 'category', many: 'categories' },
  permissions: { read: 'products:read', create: 'products:create', update: 'products:update' },
  ...definePresentation(categorySchema, exampleCategory, presentCategory),
  get: getCategory,
  list: {
    operationId: 'listProductCategories',
    summary: 'List categories',
    query: z.strictObject({ ...listParameters(CATEGORY_SORT_FIELDS), ...activeParameter }),
    read: (caller, query, listRequest) =>
      listCategories(caller, parseActiveFilter(query, caller.company.timeZone), listRequest),
  },
  detail: { operationId: 'getProductCategory', summary: 'Category detail', addition: true },
  create: {
    operationId: 'createProductCategory',
    summary: 'Create a category',
    addition: true,
    body: z.strictObject({ name: line(100) }),
    bodyExample: { name: 'Lighting' },
    message: ({ name }) => `Category ${name} created.`,
    exampleMessage: 'Category Lighting created.',
    create: (platform, caller, { name }, use) => createCategory(platform, caller, name, use),
    errors: { 409: 'Another category has the name (`name_taken`), or the Idempotency-Key is in use.' },
  },
  update: {
    operationId: 'updateProductCategory',
    summary: 'Update a category',
    description:
      'Changes the fields that are sent. Products keep an inactive category, but no product can be added to it. Honours If-Match.',
    addition: true,
    body: z.strictObject({ name: line(100).optional(), active: flag.optional(), ...readOnlyFields(READ_ONLY) }),
    bodyExample: { name: 'Lamps' },
    readOnly: READ_ONLY,
    update: updateCategory,
    errors: { 409: 'Another category has the name (`name_taken`).' },
  },
});
