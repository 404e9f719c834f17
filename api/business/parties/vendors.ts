import { z } from 'zod';
import type { VendorRecord } from '../../../models/business/parties/vendor';
import {
  createVendor,
  getVendor,
  listVendors,
  trialVendor,
  updateVendor,
  VENDOR_SORT_FIELDS,
} from '../../../services/business/parties/vendors';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { answer } from '../responses';
import { callerOf } from '../caller';
import {
  addressInput,
  addressShape,
  currencyCode,
  dryRunQuery,
  email,
  flag,
  idPath,
  instant,
  line,
  NO_ADDRESS_EXAMPLE,
  paragraph,
  paymentTerms,
  unread,
} from '../fields';
import { activeParameter, createdFilter, listAnswer, listParameters, listQuery, listShape } from '../listing';
import { etag, ifMatch, withoutReadOnly } from '../revisions';

const vendorShape = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  taxId: z.string().nullable(),
  email: z.string().nullable(),
  phone: z.string().nullable(),
  address: addressShape,
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
  address: NO_ADDRESS_EXAMPLE,
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

const view = (record: VendorRecord) => ({
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

const editable = {
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

const one = { schema: z.object({ data: vendorShape }), example: { data: exampleVendor } };

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
      schema: listShape(vendorShape),
      example: { data: [exampleVendor], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const asked = listQuery(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...createdFilter(query, timeZone) };
    const { rows, totalCount } = await listVendors(caller, filter, asked);
    return { status: 200, body: answer(listAnswer(rows.map(view), totalCount, asked), timeZone) };
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
  replies: { 200: { description: 'The vendor.', ...one } },
  async handle(context, { params }) {
    const caller = await callerOf(context);
    const record = await getVendor(caller, params.id);
    return {
      status: 200,
      headers: etag(record.version),
      body: answer({ data: view(record) }, caller.company.timeZone),
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
  body: z.strictObject({ name: line(200), ...editable }),
  bodyExample: { name: 'Süddraht GmbH', taxId: 'DE987654321', paymentTerms: 'NET30', address: NO_ADDRESS_EXAMPLE },
  replies: {
    201: {
      description: 'The vendor.',
      schema: z.object({ data: vendorShape, message: z.string() }),
      example: { data: exampleVendor, message: 'Vendor V1 created.' },
    },
    200: {
      description: 'A dry run: what would be made, without id.',
      schema: z.object({ data: vendorShape.extend({ id: z.null() }) }),
    },
  },
  errors: { 409: 'Another vendor has the code (`code_taken`), or the Idempotency-Key is in use.' },
  async handle(context, { body, query }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    if (query.dryRun === 'true') {
      const trial = await trialVendor(context.platform, caller, body);
      return { status: 200, body: answer({ data: { ...view(trial), id: null } }, timeZone) };
    }
    const record = await createVendor(context.platform, caller, body, context.idempotency);
    return {
      status: 201,
      headers: { ...etag(record.version), Location: `/api/vendors/${record.id}` },
      body: answer({ data: view(record), message: `Vendor ${record.code} created.` }, timeZone),
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
    ...editable,
    id: unread,
    createdAt: unread,
    updatedAt: unread,
  }),
  bodyExample: { phone: '+49 89 1234567' },
  replies: { 200: { description: 'The vendor as it is now.', ...one } },
  errors: { 409: 'Another vendor has the code.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await callerOf(context);
    const { timeZone } = caller.company;
    const current = answer(view(await getVendor(caller, params.id)), timeZone);
    const input = withoutReadOnly(body, current, READ_ONLY);
    const record = await updateVendor(context.platform, caller, { id: params.id, ifMatch: ifMatch(context) }, input);
    return { status: 200, headers: etag(record.version), body: answer({ data: view(record) }, timeZone) };
  },
});

export const vendorRoutes: readonly Route[] = [list, detail, create, update];
