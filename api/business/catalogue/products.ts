import { z } from 'zod';
import { PRODUCT_TYPES } from '../../../models/business/catalogue/product';
import {
  createProduct,
  deactivateProduct,
  getProduct,
  listProducts,
  PRODUCT_SORT_FIELDS,
  dryRunProduct,
  updateProduct,
} from '../../../services/business/catalogue/products';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import {
  currencyCode,
  dryRunQuery,
  flag,
  idPath,
  level,
  line,
  paragraph,
  quantity,
  recordId,
  unitPrice,
} from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
  recordIdParameter,
} from '../listing';
import { exampleProduct, productSchema, presentProduct } from './product-responses';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const editableFields = {
  code: line(40).optional().meta({ description: 'Unique. Default: P and the id.' }),
  description: paragraph(2000).nullable().optional(),
  categoryId: recordId.nullable().optional(),
  unit: z
    .string({ error: 'must be a string' })
    .regex(/^[A-Z0-9]{2,3}$/, 'must be a UN/ECE Recommendation 20 code, such as C62, KGM or HUR')
    .optional()
    .meta({ description: 'UN/ECE Recommendation 20. Default: C62 (one).' }),
  price: unitPrice.optional(),
  currencyCode: currencyCode.optional(),
  taxRateId: recordId.nullable().optional(),
  priceIncludesTax: flag.optional(),
  reorderLevel: level
    .nullable()
    .optional()
    .meta({ type: ['number', 'null'] }),
  barcode: line(64).nullable().optional(),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'type', 'categoryName', 'stock', 'averageCost', 'createdAt', 'updatedAt'] as const;
const readOnlyField = z.unknown().optional();
const readOnlyFields = {
  id: readOnlyField,
  type: readOnlyField,
  categoryName: readOnlyField,
  stock: readOnlyField,
  averageCost: readOnlyField,
  createdAt: readOnlyField,
  updatedAt: readOnlyField,
};

const productReply = { schema: z.object({ data: productSchema }), example: { data: exampleProduct } };
const createdProductReply = {
  schema: z.object({ data: productSchema, message: z.string() }),
  example: { data: exampleProduct, message: 'Product LAMP-01 created.' },
};

const list = defineRoute({
  method: 'get',
  path: '/api/products',
  operationId: 'listProducts',
  summary: 'List products',
  tag: 'Products and inventory',
  permission: 'products:read',
  query: z.strictObject({
    ...listParameters(PRODUCT_SORT_FIELDS),
    ...activeParameter,
    categoryId: recordIdParameter('a category'),
  }),
  replies: {
    200: {
      description: 'A page of products and the exact total.',
      schema: buildListSchema(productSchema),
      example: { data: [exampleProduct], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = {
      active: query.active ?? 'true',
      categoryId: query.categoryId,
      ...parseCreatedFilter(query, timeZone),
    };
    const { rows, totalCount } = await listProducts(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentProduct), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/products/:id',
  operationId: 'getProduct',
  summary: 'Product detail',
  tag: 'Products and inventory',
  permission: 'products:read',
  params: idPath,
  replies: { 200: { description: 'The product.', ...productReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const product = await getProduct(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(product.record.version, product.stockVersion),
      body: serializeResponse({ data: presentProduct(product) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/products',
  operationId: 'createProduct',
  summary: 'Create a product',
  description: '`initialStock` is an addition: goods that are there already, posted to the stock ledger.',
  tag: 'Products and inventory',
  permission: 'products:create',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({
    name: line(200),
    ...editableFields,
    type: z
      .enum(PRODUCT_TYPES, { error: `must be one of ${PRODUCT_TYPES.join(', ')}` })
      .optional()
      .meta({ description: 'Goods are kept in stock, services are not; fixed once made. Default: goods.' }),
    initialStock: z
      .strictObject({
        quantity,
        unitCost: unitPrice.optional().meta({ description: 'Base currency. Default: 0.' }),
      })
      .optional()
      .meta({ 'x-addition': true }),
  }),
  bodyExample: { code: 'LAMP-01', name: 'Desk lamp', price: 49.9, initialStock: { quantity: 120, unitCost: 21.5 } },
  replies: {
    201: { description: 'The product.', ...createdProductReply },
    200: {
      description: 'A dry run: what would be made, without id.',
      schema: z.object({ data: productSchema.extend({ id: z.null() }) }),
    },
  },
  errors: {
    409: 'Another product has the code (`code_taken`), there is opening stock while today is locked (`period_locked`), or the Idempotency-Key is in use.',
  },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const { initialStock, ...input } = body;
    if (query.dryRun === 'true') {
      const dryRun = await dryRunProduct(context.platform, caller, input, initialStock);
      return { status: 200, body: serializeResponse({ data: { ...presentProduct(dryRun), id: null } }, timeZone) };
    }
    const product = await createProduct(context.platform, caller, input, initialStock, context.idempotency);
    const { id, code, version } = product.record;
    return {
      status: 201,
      headers: { ...buildEtagHeader(version, product.stockVersion), Location: `/api/products/${id}` },
      body: serializeResponse({ data: presentProduct(product), message: `Product ${code} created.` }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/products/:id',
  operationId: 'updateProduct',
  summary: 'Update a product',
  description:
    'Changes what is sent. Read-only fields (stock among them) may be put back as they were read. Honours If-Match.',
  tag: 'Products and inventory',
  permission: 'products:update',
  params: idPath,
  body: z.strictObject({ name: line(200).optional(), ...editableFields, ...readOnlyFields }),
  bodyExample: { price: 44.9 },
  replies: { 200: { description: 'The product as it is now.', ...productReply } },
  errors: { 409: 'Another product has the code.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentProduct(await getProduct(caller, params.id)), timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const product = await updateProduct(context.platform, caller, params.id, input, parseIfMatch(context));
    return {
      status: 200,
      headers: buildEtagHeader(product.record.version, product.stockVersion),
      body: serializeResponse({ data: presentProduct(product) }, timeZone),
    };
  },
});

const deactivate = defineRoute({
  method: 'delete',
  path: '/api/products/:id',
  operationId: 'deactivateProduct',
  summary: 'Deactivate a product',
  description:
    'It stays on documents and in stock, and enters no new document. PUT with `active: true` brings it back.',
  tag: 'Products and inventory',
  permission: 'products:delete',
  params: idPath,
  replies: {
    200: {
      description: 'The product is inactive.',
      schema: z.object({ message: z.string() }),
      example: { message: 'Product deactivated.' },
    },
  },
  async handle(context, { params }) {
    await deactivateProduct(context.platform, await getCaller(context), params.id);
    return { status: 200, body: { message: 'Product deactivated.' } };
  },
});

export const productRoutes: readonly Route[] = [list, detail, create, update, deactivate];
