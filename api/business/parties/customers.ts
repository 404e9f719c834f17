import { z } from 'zod';
import type { CustomerRecord } from '../../../models/business/parties/customer';
import {
  createCustomer,
  CUSTOMER_SORT_FIELDS,
  getCustomer,
  listCustomers,
  dryRunCustomer,
  updateCustomer,
} from '../../../services/business/parties/customers';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import {
  addressInput,
  addressSchema,
  amount,
  currencyCode,
  dryRunQuery,
  email,
  flag,
  idPath,
  instant,
  language,
  line,
  exampleAddress,
  paragraph,
  paymentTerms,
  readOnlyField,
} from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

export const customerSchema = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: addressSchema,
  currencyCode: z.string().nullable(),
  paymentTerms: z.string().nullable(),
  language: z.string().nullable(),
  creditLimit: z.number().nullable(),
  notes: z.string().nullable(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

export const exampleCustomer = {
  id: 1,
  code: 'C1',
  name: 'Nordlicht AG',
  taxId: 'DE123456789',
  email: 'billing@nordlicht.example',
  phone: null,
  address: exampleAddress,
  currencyCode: 'EUR',
  paymentTerms: 'NET30',
  language: 'de',
  creditLimit: null,
  notes: null,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

export const presentCustomer = (record: CustomerRecord) => ({
  id: record.id,
  code: record.code,
  name: record.name,
  taxId: record.taxId,
  email: record.email,
  phone: record.phone,
  address: record.address,
  currencyCode: record.currencyCode,
  paymentTerms: record.paymentTerms,
  language: record.language,
  creditLimit: record.creditLimit,
  notes: record.notes,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

/** What can be set of a customer beside its name. */
export const customerFields = {
  code: line(40).optional().meta({ description: 'Unique. Default: C and the id.' }),
  taxId: line(40).nullable().optional(),
  email: email.nullable().optional(),
  phone: line(40).nullable().optional(),
  address: addressInput.optional(),
  currencyCode: currencyCode.nullable().optional(),
  paymentTerms: paymentTerms.nullable().optional(),
  language: language.nullable().optional(),
  creditLimit: amount
    .nullable()
    .optional()
    .meta({ type: ['number', 'null'], description: 'Base currency; null: none.' }),
  notes: paragraph(2000).nullable().optional(),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'createdAt', 'updatedAt'] as const;
const readOnlyFields = { id: readOnlyField, createdAt: readOnlyField, updatedAt: readOnlyField };

const customerReply = { schema: z.object({ data: customerSchema }), example: { data: exampleCustomer } };
const createdCustomerReply = {
  schema: z.object({ data: customerSchema, message: z.string() }),
  example: { data: exampleCustomer, message: 'Customer C1 created.' },
};

const list = defineRoute({
  method: 'get',
  path: '/api/customers',
  operationId: 'listCustomers',
  summary: 'List customers',
  tag: 'Customers',
  permission: 'customers:read',
  query: z.strictObject({ ...listParameters(CUSTOMER_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of customers and the exact total.',
      schema: buildListSchema(customerSchema),
      example: { data: [exampleCustomer], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listCustomers(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentCustomer), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/customers/:id',
  operationId: 'getCustomer',
  summary: 'Customer detail',
  tag: 'Customers',
  permission: 'customers:read',
  params: idPath,
  replies: { 200: { description: 'The customer.', ...customerReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getCustomer(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentCustomer(record) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/customers',
  operationId: 'createCustomer',
  summary: 'Create a customer',
  tag: 'Customers',
  permission: 'customers:create',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({ name: line(200), ...customerFields }),
  bodyExample: { name: 'Nordlicht AG', taxId: 'DE123456789', paymentTerms: 'NET30', address: exampleAddress },
  replies: {
    201: { description: 'The customer.', ...createdCustomerReply },
    200: {
      description: 'A dry run: what would be made, without id.',
      schema: z.object({ data: customerSchema.extend({ id: z.null() }) }),
    },
  },
  errors: { 409: 'Another customer has the code (`code_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    if (query.dryRun === 'true') {
      const dryRun = await dryRunCustomer(context.platform, caller, body);
      return { status: 200, body: serializeResponse({ data: { ...presentCustomer(dryRun), id: null } }, timeZone) };
    }
    const record = await createCustomer(context.platform, caller, body, context.idempotency);
    const message = `Customer ${record.code} created.`;
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version), Location: `/api/customers/${record.id}` },
      body: serializeResponse({ data: presentCustomer(record), message }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/customers/:id',
  operationId: 'updateCustomer',
  summary: 'Update a customer',
  description: 'Changes what is sent. Read-only fields may be put back as they were read. Honours If-Match.',
  tag: 'Customers',
  permission: 'customers:update',
  params: idPath,
  body: z.strictObject({ name: line(200).optional(), ...customerFields, ...readOnlyFields }),
  bodyExample: { phone: '+49 30 1234567' },
  replies: { 200: { description: 'The customer as it is now.', ...customerReply } },
  errors: { 409: 'Another customer has the code.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentCustomer(await getCustomer(caller, params.id)), timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const record = await updateCustomer(
      context.platform,
      caller,
      { id: params.id, ifMatch: parseIfMatch(context) },
      input,
    );
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentCustomer(record) }, timeZone),
    };
  },
});

export const customerRoutes: readonly Route[] = [list, detail, create, update];
