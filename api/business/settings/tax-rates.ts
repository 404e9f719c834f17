import { z } from 'zod';
import { TAX_CATEGORIES } from '../../../domain/business/settings/tax-rates';
import type { TaxRateRecord } from '../../../models/business/settings/tax-rate';
import {
  createTaxRate,
  getTaxRate,
  listTaxRates,
  TAX_RATE_SORT_FIELDS,
  updateTaxRate,
} from '../../../services/business/settings/tax-rates';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import {
  parseCalendarField,
  day,
  dayInput,
  flag,
  idPath,
  instant,
  line,
  percent,
  recordId,
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

const taxRateSchema = z.object({
  id: z.number().int(),
  name: z.string(),
  percent: z.number(),
  category: z.enum(TAX_CATEGORIES),
  exemptionReason: z.string().nullable(),
  validFrom: day.nullable(),
  validTo: day.nullable().meta({ description: 'The last day it applies; afterwards its successor does.' }),
  successorId: z.number().int().nullable(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

const exampleTaxRate = {
  id: 1,
  name: 'Standard rate',
  percent: 19,
  category: 'S',
  exemptionReason: null,
  validFrom: '2021-01-01',
  validTo: null,
  successorId: null,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentTaxRate = (record: TaxRateRecord) => ({
  id: record.id,
  name: record.name,
  percent: record.percent,
  category: record.category,
  exemptionReason: record.exemptionReason,
  validFrom: record.validFrom,
  validTo: record.validTo,
  successorId: record.successorId,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const editableFields = {
  category: z
    .enum(TAX_CATEGORIES, { error: `must be one of ${TAX_CATEGORIES.join(', ')}` })
    .optional()
    .meta({ description: 'VAT category of EN 16931 (UNTDID 5305). Default: S.' }),
  exemptionReason: line(200)
    .nullable()
    .optional()
    .meta({ description: 'Required in categories E, AE, K, G and O; null in the others.' }),
  validFrom: dayInput.nullable().optional(),
  validTo: dayInput.nullable().optional(),
  successorId: recordId.nullable().optional().meta({ description: 'The rate that applies after validTo.' }),
  active: flag.optional(),
};

const READ_ONLY = ['id', 'createdAt', 'updatedAt'] as const;
const TAG = 'Configuration';
const taxRateReply = { schema: z.object({ data: taxRateSchema }), example: { data: exampleTaxRate } };

/** The days as they are stored. @throws AppError 400 naming the field. */
const parseValidityDays = (
  sent: { validFrom?: string | null | undefined; validTo?: string | null | undefined },
  timeZone: string,
) => ({
  validFrom: parseCalendarField('validFrom', sent.validFrom, timeZone),
  validTo: parseCalendarField('validTo', sent.validTo, timeZone),
});

const list = defineRoute({
  method: 'get',
  path: '/api/config/tax-rates',
  operationId: 'listTaxRates',
  summary: 'Tax rates',
  tag: TAG,
  permission: 'config:read',
  query: z.strictObject({ ...listParameters(TAX_RATE_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of tax rates and the exact total.',
      schema: buildListSchema(taxRateSchema),
      example: { data: [exampleTaxRate], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listTaxRates(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentTaxRate), totalCount, listRequest), timeZone),
    };
  },
});

const detail = defineRoute({
  method: 'get',
  path: '/api/config/tax-rates/:id',
  operationId: 'getTaxRate',
  summary: 'Tax rate detail',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  params: idPath,
  replies: { 200: { description: 'The tax rate.', ...taxRateReply } },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const record = await getTaxRate(caller, params.id);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentTaxRate(record) }, caller.company.timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/config/tax-rates',
  operationId: 'createTaxRate',
  summary: 'Create a tax rate',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({ name: line(100), percent, ...editableFields }),
  bodyExample: { name: 'Reduced rate', percent: 7 },
  replies: {
    201: {
      description: 'The tax rate.',
      schema: z.object({ data: taxRateSchema, message: z.string() }),
      example: { data: exampleTaxRate, message: 'Tax rate Standard rate created.' },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = { ...body, ...parseValidityDays(body, timeZone) };
    const record = await createTaxRate(context.platform, caller, input, context.idempotency);
    const message = `Tax rate ${record.name} created.`;
    return {
      status: 201,
      headers: { ...buildEtagHeader(record.version), Location: `/api/config/tax-rates/${record.id}` },
      body: serializeResponse({ data: presentTaxRate(record), message }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/tax-rates/:id',
  operationId: 'updateTaxRate',
  summary: 'Update a tax rate',
  description:
    'Changes what is sent. Once a document has been issued with the rate its percentage and category stay: create the new rate, then set validTo and successorId of this one. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  params: idPath,
  body: z.strictObject({
    name: line(100).optional(),
    percent: percent.optional(),
    ...editableFields,
    id: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { name: 'Standard rate until 2026', validTo: '2026-12-31' },
  replies: { 200: { description: 'The tax rate as it is now.', ...taxRateReply } },
  errors: {
    409: '`tax_rate_in_use`: documents have been issued with it; `is_default`: the company’s default stays active.',
    412: 'The record has changed since If-Match.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentTaxRate(await getTaxRate(caller, params.id)), timeZone);
    const input = stripReadOnlyFields(body, current, READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await updateTaxRate(context.platform, caller, at, {
      ...input,
      ...parseValidityDays(input, timeZone),
    });
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentTaxRate(record) }, timeZone),
    };
  },
});

export const taxRateRoutes: readonly Route[] = [list, detail, create, update];
