import { z } from 'zod';
import type { ExchangeRateRecord } from '../../../models/business/settings/exchange-rate';
import {
  addExchangeRate,
  correctExchangeRate,
  EXCHANGE_RATE_SORT_FIELDS,
  getExchangeRate,
  listExchangeRates,
} from '../../../services/business/settings/exchange-rates';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../responses';
import { getCaller } from '../caller';
import {
  parseCalendarField,
  currencyCode,
  day,
  dayInput,
  exchangeRate,
  idPath,
  instant,
  readOnlyField,
} from '../fields';
import { parseCalendarFilter, buildListResponse, listParameters, toListRequest, buildListSchema } from '../listing';
import { buildEtagHeader, parseIfMatch, stripReadOnlyFields } from '../revisions';

const exchangeRateSchema = z.object({
  id: z.number().int(),
  currencyCode: z.string(),
  date: day.meta({ description: 'The rate holds from this day until the next one recorded.' }),
  rate: z.number().meta({ description: 'Units of base currency per 1 unit of the currency.' }),
  createdAt: instant,
  updatedAt: instant,
});

const exampleExchangeRate = {
  id: 1,
  currencyCode: 'USD',
  date: '2026-11-21',
  rate: 0.92,
  createdAt: '2026-11-21T10:00:00.000+01:00',
  updatedAt: '2026-11-21T10:00:00.000+01:00',
};

const presentExchangeRate = (record: ExchangeRateRecord) => ({
  id: record.id,
  currencyCode: record.currencyCode,
  date: record.date,
  rate: record.rate,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const READ_ONLY = ['id', 'currencyCode', 'date', 'createdAt', 'updatedAt'] as const;
const TAG = 'Configuration';

const list = defineRoute({
  method: 'get',
  path: '/api/config/exchange-rates',
  operationId: 'listExchangeRates',
  summary: 'Exchange rates',
  description: 'Newest first. dateFrom and dateTo filter the day of the rate.',
  tag: TAG,
  permission: 'config:read',
  query: z.strictObject({
    ...listParameters(EXCHANGE_RATE_SORT_FIELDS),
    currencyCode: currencyCode.optional().meta({ 'x-addition': true }),
  }),
  replies: {
    200: {
      description: 'A page of exchange rates and the exact total.',
      schema: buildListSchema(exchangeRateSchema),
      example: { data: [exampleExchangeRate], totalCount: 1, page: 1, pageSize: 20 },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const listRequest = toListRequest(query, { by: 'date', dir: 'desc' });
    const filter = { currencyCode: query.currencyCode, ...parseCalendarFilter(query, timeZone) };
    const { rows, totalCount } = await listExchangeRates(caller, filter, listRequest);
    return {
      status: 200,
      body: serializeResponse(buildListResponse(rows.map(presentExchangeRate), totalCount, listRequest), timeZone),
    };
  },
});

const create = defineRoute({
  method: 'post',
  path: '/api/config/exchange-rates',
  operationId: 'addExchangeRate',
  summary: 'Record an exchange rate',
  description: 'Units of base currency per 1 unit of the currency, from a day on. A new currency is taken up.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  idempotent: true,
  body: z.strictObject({ currencyCode, date: dayInput.optional(), rate: exchangeRate }),
  bodyExample: { currencyCode: 'USD', date: '2026-11-21', rate: 0.92 },
  replies: {
    201: {
      description: 'The exchange rate.',
      schema: z.object({ data: exchangeRateSchema, message: z.string() }),
      example: { data: exampleExchangeRate, message: 'Exchange rate of USD on 2026-11-21 recorded.' },
    },
  },
  errors: {
    409: 'The currency has a rate of the day (`date_taken`; correct it with PUT) or is inactive (`currency_inactive`), or the Idempotency-Key is in use.',
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const input = { ...body, date: parseCalendarField('date', body.date, timeZone) };
    const record = await addExchangeRate(context.platform, caller, input, context.idempotency);
    const message = `Exchange rate of ${record.currencyCode} on ${record.date} recorded.`;
    return {
      status: 201,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentExchangeRate(record), message }, timeZone),
    };
  },
});

const update = defineRoute({
  method: 'put',
  path: '/api/config/exchange-rates/:id',
  operationId: 'correctExchangeRate',
  summary: 'Correct an exchange rate',
  description: 'For documents from now on; those issued keep the rate they froze. Honours If-Match.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  params: idPath,
  body: z.strictObject({
    rate: exchangeRate.optional(),
    id: readOnlyField,
    currencyCode: readOnlyField,
    date: readOnlyField,
    createdAt: readOnlyField,
    updatedAt: readOnlyField,
  }),
  bodyExample: { rate: 0.93 },
  replies: {
    200: {
      description: 'The exchange rate as it is now.',
      schema: z.object({ data: exchangeRateSchema }),
      example: { data: exampleExchangeRate },
    },
  },
  errors: { 412: 'The record has changed since If-Match.' },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const { timeZone } = caller.company;
    const current = serializeResponse(presentExchangeRate(await getExchangeRate(caller, params.id)), timeZone);
    const { rate } = stripReadOnlyFields(body, current, READ_ONLY);
    const at = { id: params.id, ifMatch: parseIfMatch(context) };
    const record = await correctExchangeRate(context.platform, caller, at, rate);
    return {
      status: 200,
      headers: buildEtagHeader(record.version),
      body: serializeResponse({ data: presentExchangeRate(record) }, timeZone),
    };
  },
});

export const exchangeRateRoutes: readonly Route[] = [list, create, update];
