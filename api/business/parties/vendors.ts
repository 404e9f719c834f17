import { z } from 'zod';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import {
  createVendor,
  getVendor,
  listVendors,
  dryRunVendor,
  updateVendor,
  VENDOR_SORT_FIELDS,
} from '../../../services/business/parties/vendors';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import {
  addressInput,
  addressSchema,
  currencyCode,
  dryRunQuery,
  email,
  flag,
  idPath,
  instant,
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

const vendorSchema = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: addressSchema,
  currencyCode: z.string().nullable(),
  paymentTerms: z.string().nullable(),
  bankName: z.string().nullable(),
  iban: z.string().nullable(),
  bic: z.string().nullable(),
  notes: z.string().nullable(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

const exampleVendor = {
  id: 1,
  code: 'V1',
  name: 'Süddraht GmbH',
  taxId: 'DE987654321',
  email: 'sales@sueddraht.example',
  phone: null,
  address: exampleAddress,
  currencyCode: 'EUR',
  paymentTerms: 'NET30',
  bankName: null,
  iban: 'DE89370400440532013000',
  bic: null,
  notes: null,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentVendor = (record: VendorRecord) => ({
  id: record.id,
  code: record.code,
  name: record.name,
  taxId: record.taxId,
  email: record.email,
  phone: record.phone,
  address: record.address,
  currencyCode: record.currencyCode,
  paymentTerms: record.paymentTerms,
  bankName: record.bankName,
  iban: record.iban,
  bic: record.bic,
  notes: record.notes,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const editableFields = {
  code: line(40).optional().meta({ description: 'Unique. Default: V and the id.' }),
  taxId: line(40).nullable().optional(),
  email: email.nullable().optional(),
  phone: line(40).nullable().optional(),
  address: addressInput.optional(),
  currencyCode: currencyCode.nullable().optional(),
  paymentTerms: paymentTerms.nullable().optional(),
  bankName: line(100).nullable().optional(),
  iban: line(50).nullable().optional().meta({ description: 'Checked by country, length and check digits.' }),
  bic: line(20).nullable().optional(),
  notes: paragraph(2000).nullable().optional(),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'createdAt', 'updatedAt'] as const;
const TAG = 'Vendors';

const vendorReply = { schema: z.object({ data: vendorSchema }), example: { data: exampleVendor } };

const list = defineRoute({
  method: 'get',
  path: '/api/vendors',
  operationId: 'listVendors',
  summary: 'List vendors',
  tag: TAG,
  permission: 'vendors:read',
  query: z.strictObject({ ...listParameters(VENDOR_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of vendors and the exact total.',
      schema: buildListSchema(vendorSchema),
      example: { data: [exampleVendor], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listVendors(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentVendor), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/vendors/:id',
  operationId: 'getVendor',
  summary: 'Vendor detail',
  tag: TAG,
  permission: 'vendors:read',
  params: idPath,
  replies: { 200: { description: 'The vendor.', ...vendorReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getVendor(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentVendor(record) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/vendors',
  operationId: 'createVendor',
  summary: 'Create a vendor',
  tag: TAG,
  permission: 'vendors:create',
  idempotent: true,
  query: dryRunQuery,
  body: z.strictObject({ name: line(200), ...editableFields }),
  bodyExample: { name: 'Süddraht GmbH', taxId: 'DE987654321', paymentTerms: 'NET30', address: exampleAddress },
  replies: {
    201: {
      description: 'The vendor.',
      schema: z.object({ data: vendorSchema, message: z.string() }),
      example: { data: exampleVendor, message: 'Vendor V1 created.' },
    },
    200: {
      description: 'A dry run: what would be made, without id.',
      schema: z.object({ data: vendorSchema.extend({ id: z.null() }) }),
    },
  },
  errors: { 409: 'Another vendor has the code (`code_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body, query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    if (query.dryRun === 'true') {
      const dryRun = await dryRunVendor(context.platform, caller, body);
      return { status: 200, body: serializeResponse({ data: { ...presentVendor(dryRun), id: null } }, timeZone) };
    }
    const record = await createVendor(context.platform, caller, body, context.idempotency);
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version), Location: `/api/vendors/${record.id}` },
      body: serializeResponse({ data: presentVendor(record), message: `Vendor ${record.code} created.` }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/vendors/:id',
  operationId: 'updateVendor',
  summary: 'Update a vendor',
  description: 'Changes what is sent. Read-only fields may be put back as they were read. Honours If-Match.',
  tag: TAG,
  permission: 'vendors:update',
  params: idPath,
  body: z.strictObject({
    name: line(200).optional(),
    ...editableFields,
    id: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { phone: '+49 89 1234567' },
  replies: { 200: { description: 'The vendor as it is now.', ...vendorReply } },
  errors: { 409: 'Another vendor has the code.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentVendor(await getVendor(caller, params.id)), timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const record = await updateVendor(
      context.platform,
      caller,
      { id: params.id, ifMatch: parseIfMatch(context) },
      input,
    );
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentVendor(record) }, timeZone),
    };
  },
});

export const vendorRoutes: readonly Route[] = [list, detail, create, update];
