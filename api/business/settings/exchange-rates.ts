import { z } from 'zod';
import type { ExchangeRateRecord } from '../../../models/business/settings/exchange-rate';
import {
  addExchangeRate,
  correctExchangeRate,
  EXCHANGE_RATE_SORT_FIELDS,
  getExchangeRate,
  listExchangeRates,
} from '../../../services/business/settings/exchange-rates';
import { parseCalendarField, currencyCode, day, dayInput, exchangeRate, instant, readOnlyFields } from '../fields';
import { parseCalendarFilter, listParameters } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const exchangeRateSchema = z.object({
  id: z.number().int(),
  currencyCode: z.string(),
  date: day.meta({
    description: 'First day on which the rate applies; it applies until the day of the next recorded rate.',
  }),
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

export const exchangeRateRoutes = defineRecordRoutes({
  path: '/api/config/exchange-rates',
  tag: 'Configuration',
  nouns: { one: 'exchange rate', many: 'exchange rates' },
  permissions: { read: 'config:read', create: 'config:update', update: 'config:update' },
  ...definePresentation(exchangeRateSchema, exampleExchangeRate, presentExchangeRate),
  get: getExchangeRate,
  list: {
    operationId: 'listExchangeRates',
    summary: 'List exchange rates',
    description: 'Newest first. `dateFrom` and `dateTo` filter by the day of the rate.',
    query: z.strictObject({
      ...listParameters(EXCHANGE_RATE_SORT_FIELDS),
      currencyCode: currencyCode.optional().meta({ 'x-addition': true }),
    }),
    order: { by: 'date', dir: 'desc' },
    read: (caller, query, listRequest) => {
      const days = parseCalendarFilter(query, caller.company.timeZone);
      return listExchangeRates(caller, { currencyCode: query.currencyCode, ...days }, listRequest);
    },
  },
  detail: { operationId: 'getExchangeRate', summary: 'Exchange rate detail', addition: true },
  create: {
    operationId: 'addExchangeRate',
    summary: 'Record an exchange rate',
    description:
      'Records the units of base currency per 1 unit of the currency from a day on. A currency that the company does not have yet is added.',
    addition: true,
    body: z.strictObject({ currencyCode, date: dayInput.optional(), rate: exchangeRate }),
    bodyExample: { currencyCode: 'USD', date: '2026-11-21', rate: 0.92 },
    message: (record) => `Exchange rate of ${record.currencyCode} on ${record.date} recorded.`,
    exampleMessage: 'Exchange rate of USD on 2026-11-21 recorded.',
    create: (platform, caller, body, use) => {
      const date = parseCalendarField('date', body.date, caller.company.timeZone);
      return addExchangeRate(platform, caller, { ...body, date }, use);
    },
    errors: {
      409: 'The currency already has a rate for the day (`date_taken`; correct it with PUT) or is inactive (`currency_inactive`), the base currency has changed meanwhile (`base_currency_changed`), or the Idempotency-Key is in use.',
    },
  },
  update: {
    operationId: 'correctExchangeRate',
    summary: 'Correct an exchange rate',
    description:
      'Applies to documents issued from now on; documents issued before keep the rate they were issued with. Honours If-Match.',
    addition: true,
    body: z.strictObject({ rate: exchangeRate.optional(), ...readOnlyFields(READ_ONLY) }),
    bodyExample: { rate: 0.93 },
    readOnly: READ_ONLY,
    update: (platform, caller, at, { rate }) => correctExchangeRate(platform, caller, at, rate),
  },
});
