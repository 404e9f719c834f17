import { z } from 'zod';
import type { CurrencyRecord } from '../../../models/business/settings/currency';
import {
  addCurrency,
  CURRENCY_SORT_FIELDS,
  getCurrency,
  listCurrencies,
  setCurrencyActive,
} from '../../../services/business/settings/currencies';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import { currencyCode, flag, idPath, instant, readOnlyField } from '../fields';
import {
  activeParameter,
  parseCreatedFilter,
  buildListResponse,
  listParameters,
  toListRequest,
  buildListSchema,
} from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const currencySchema = z.object({
  id: z.number().int(),
  code: z.string().meta({ description: 'ISO 4217.' }),
  decimals: z.number().int().meta({ description: 'What amounts are rounded to.' }),
  isBase: z.boolean(),
  active: z.boolean(),
  createdAt: instant,
  updatedAt: instant,
});

const exampleCurrency = {
  id: 1,
  code: 'EUR',
  decimals: 2,
  isBase: true,
  active: true,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentCurrency = (record: CurrencyRecord, baseCurrencyCode: string) => ({
  id: record.id,
  code: record.code,
  decimals: getCurrencyDecimals(record.code),
  isBase: record.code === baseCurrencyCode,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const READ_ONLY = ['id', 'code', 'decimals', 'isBase', 'createdAt', 'updatedAt'] as const;
const TAG = 'Configuration';
const currencyReply = { schema: z.object({ data: currencySchema }), example: { data: exampleCurrency } };

const list = defineRoute({
  method: 'get',
  path: '/api/config/currencies',
  operationId: 'listCurrencies',
  summary: 'Active currencies',
  tag: TAG,
  permission: 'config:read',
  query: z.strictObject({ ...listParameters(CURRENCY_SORT_FIELDS), ...activeParameter }),
  replies: {
    200: {
      description: 'A page of currencies and the exact total.',
      schema: buildListSchema(currencySchema),
      example: { data: [exampleCurrency], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone, baseCurrencyCode } = caller.company;
    const listRequest = toListRequest(query, { by: 'id', dir: 'asc' });
    const filter = { active: query.active ?? 'true', ...parseCreatedFilter(query, timeZone) };
    const { rows, totalCount } = await listCurrencies(caller, filter, listRequest);
    const data = rows.map((row) => presentCurrency(row, baseCurrencyCode));
    return { status: 200, body: serializeResponse(buildListResponse(data, totalCount, listRequest), timeZone) };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/config/currencies',
  operationId: 'addCurrency',
  summary: 'Take up a currency',
  description: 'The first exchange rate of a currency takes it up too.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({ code: currencyCode }),
  bodyExample: { code: 'USD' },
  replies: {
    201: {
      description: 'The currency.',
      schema: z.object({ data: currencySchema, message: z.string() }),
      example: { data: { ...exampleCurrency, code: 'USD', isBase: false }, message: 'Currency USD added.' },
    },
  },
  errors: {
    409: 'The company has the currency already, active or not (`code_taken`), or the Idempotency-Key is in use.',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone, baseCurrencyCode } = caller.company;
    const record = await addCurrency(context.platform, caller, body.code, context.idempotency);
    const data = presentCurrency(record, baseCurrencyCode);
    return {
      status: 201,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data, message: `Currency ${record.code} added.` }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/currencies/:id',
  operationId: 'updateCurrency',
  summary: 'Activate or deactivate a currency',
  description: 'An inactive currency takes no new exchange rates and enters no new document. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  params: idPath,
  body: z.strictObject({
    active: flag.optional(),
    id: readOnlyField,
    code: readOnlyField,
    decimals: readOnlyField,
    isBase: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { active: false },
  replies: { 200: { description: 'The currency as it is now.', ...currencyReply } },
  errors: { 409: '`base_currency`: it is always active.', 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone, baseCurrencyCode } = caller.company;
    const current = serializeResponse(
      presentCurrency(await getCurrency(caller, params.id), baseCurrencyCode),
      timeZone,
    );
    const { active } = stripReadOnlyFields(body, current, READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await setCurrencyActive(context.platform, caller, at, active);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentCurrency(record, baseCurrencyCode) }, timeZone),
    };
  },
});

export const currencyRoutes: readonly Route[] = [list, create, update];
