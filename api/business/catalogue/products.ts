import { z } from 'zod';
import { PRODUCT_TYPES } from '../../../models/business/catalogue/product';
import {
  createProduct,
  deactivateProduct,
  getProduct,
  listProducts,
  PRODUCT_SORT_FIELDS,
  dryRunProduct,
  dryRunProductUpdate,
  updateProduct,
} from '../../../services/business/catalogue/products';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import {
  currencyCode,
  derivedFields,
  flag,
  idPath,
  level,
  line,
  paragraph,
  quantity,
  readOnlyFields,
  recordId,
  unitCode,
  unitPrice,
  NULLABLE_DECIMAL,
} from '../fields';
import { activeParameter, listParameters, parseActiveFilter, recordIdsParameter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';
import { buildEtagHeader } from '../revisions';
import { serializeResponse } from '../serialization';
import { exampleProduct, presentProduct, productSchema } from './product-responses';

const editableFields = {
  code: line(40).optional().meta({ description: 'Code, unique in the organisation. Default: P followed by the id.' }),
  description: paragraph(2000).nullable().optional(),
  categoryId: recordId.nullable().optional(),
  unit: unitCode.optional().meta({ description: 'Unit code of UN/ECE Recommendation 20. Default: C62 (one).' }),
  price: unitPrice.optional(),
  currencyCode: currencyCode.optional(),
  taxRateId: recordId.nullable().optional(),
  priceIncludesTax: flag.optional(),
  reorderLevel: level.nullable().optional().meta(NULLABLE_DECIMAL),
  barcode: line(64).nullable().optional(),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'type', 'createdAt', 'updatedAt'] as const;
const DERIVED = ['categoryName', 'stock', 'averageCost'] as const;
const derived = derivedFields<(typeof DERIVED)[number]>({
  categoryName: 'Follows from the category.',
  stock: 'Follows from stock movements; `POST /api/inventory/adjustments` changes it.',
  averageCost: 'Follows from stock movements.',
});

const TAG = 'Products and inventory';

const productType = z
  .enum(PRODUCT_TYPES, { error: `must be one of ${PRODUCT_TYPES.join(', ')}` })
  .optional()
  .meta({
    description: 'Goods are kept in stock, services are not; the type cannot change. Default: goods.',
  });

const initialStock = z
  .strictObject({
    quantity,
    unitCost: unitPrice.optional().meta({ description: 'Cost per unit in the base currency. Default: 0.' }),
  })
  .optional()
  .meta({ 'x-addition': true, description: 'Opening stock, posted to the stock ledger.' });

const recordRoutes = defineRecordRoutes({
  path: '/api/products',
  tag: TAG,
  nouns: { one: 'product', many: 'products' },
  permissions: { read: 'products:read', create: 'products:create', update: 'products:update' },
  ...definePresentation(productSchema, exampleProduct, presentProduct),
  get: getProduct,
  list: {
    operationId: 'listProducts',
    summary: 'List products',
    query: z.strictObject({
      ...listParameters(PRODUCT_SORT_FIELDS),
      ...activeParameter,
      categoryId: recordIdsParameter('a category'),
    }),
    read: (caller, query, listRequest) => {
      const filter = { categoryId: query.categoryId, ...parseActiveFilter(query, caller.company.timeZone) };
      return listProducts(caller, filter, listRequest);
    },
  },
  detail: { operationId: 'getProduct', summary: 'Product detail' },
  create: {
    operationId: 'createProduct',
    summary: 'Create a product',
    description:
      '`initialStock`, an addition, posts stock that exists already to the stock ledger, which needs the permission `inventory:adjust`, too.',
    body: z.strictObject({ name: line(200), ...editableFields, type: productType, initialStock }),
    bodyExample: { code: 'LAMP-01', name: 'Desk lamp', price: 49.9, initialStock: { quantity: 120, unitCost: 21.5 } },
    message: ({ record }) => `Product ${record.code} created.`,
    exampleMessage: 'Product LAMP-01 created.',
    create: (platform, caller, { initialStock: stock, ...input }, use) =>
      createProduct(platform, caller, input, stock, use),
    dryRun: (platform, caller, { initialStock: stock, ...input }) => dryRunProduct(platform, caller, input, stock),
    errors: {
      409: 'Another product has the code (`code_taken`), opening stock is sent while today is locked (`period_locked`), or the Idempotency-Key is in use.',
    },
  },
  update: {
    operationId: 'updateProduct',
    summary: 'Update a product',
    description:
      'Changes the fields that are sent. A product can be sent back as it was read: `id`, `type`, `createdAt` and `updatedAt` must be unchanged; `stock`, `averageCost` and `categoryName`, which follow from other records, are ignored. Honours If-Match.',
    body: z.strictObject({ name: line(200).optional(), ...editableFields, ...readOnlyFields(READ_ONLY), ...derived }),
    bodyExample: { price: 44.9 },
    readOnly: READ_ONLY,
    derived: DERIVED,
    update: updateProduct,
    dryRun: dryRunProductUpdate,
    errors: {
      409: 'Another product has the code (`code_taken`), or the `unit` of a product with stock movements would change (`unit_in_use`).',
    },
  },
  batch: { operationId: 'createProducts', summary: 'Create and change many products' },
});

const deactivate = defineRoute({
  method: 'delete',
  path: '/api/products/:id',
  operationId: 'deactivateProduct',
  summary: 'Deactivate a product',
  description:
    'The product stays on existing documents and in stock, but cannot be used in new documents. PUT with `active: true` activates it again.',
  tag: TAG,
  permission: 'products:delete',
  params: idPath,
  replies: {
    200: {
      description: 'The product is inactive.',
      schema: z.object({ data: productSchema, message: z.string() }),
      example: { data: { ...exampleProduct, active: false }, message: 'Product LAMP-01 deactivated.' },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const product = await deactivateProduct(context.platform, caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(product.version, product.derivedVersion),
      body: serializeResponse(
        { data: presentProduct(product), message: `Product ${product.record.code} deactivated.` },
        caller.company.timeZone,
      ),
    };
  },
});

export const productRoutes: readonly Route[] = [...recordRoutes, deactivate];
