import { z } from 'zod';
import type { CurrencyRecord } from '../../../models/business/settings/currency';
import {
  addCurrency,
  CURRENCY_SORT_FIELDS,
  getCurrency,
  listCurrencies,
  setCurrencyActive,
} from '../../../services/business/settings/currencies';
import type { BusinessCaller } from '../../../services/business/access/caller';
import { getCurrencyDecimals } from '../../../domain/business/currencies';
import { currencyCode, flag, instant, readOnlyFields } from '../fields';
import { activeParameter, listParameters, parseActiveFilter } from '../listing';
import { definePresentation, defineRecordRoutes } from '../record-routes';

const currencySchema = z.object({
  id: z.number().int(),
  code: z.string().meta({ description: 'ISO 4217 code.' }),
  decimals: z.number().int().meta({ description: 'Number of decimals to which amounts are rounded.' }),
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

const presentCurrency = (record: CurrencyRecord, { company }: BusinessCaller) => ({
  id: record.id,
  code: record.code,
  decimals: getCurrencyDecimals(record.code),
  isBase: record.code === company.baseCurrencyCode,
  active: record.active,
  createdAt: record.createdAt,
  updatedAt: record.updatedAt,
});

const READ_ONLY = ['id', 'code', 'decimals', 'isBase', 'createdAt', 'updatedAt'] as const;

export const currencyRoutes = defineRecordRoutes({
  path: '/api/config/currencies',
  tag: 'Configuration',
  nouns: { one: 'currency', many: 'currencies' },
  permissions: { read: 'config:read', create: 'config:update', update: 'config:update' },
  ...definePresentation(currencySchema, exampleCurrency, presentCurrency),
  get: getCurrency,
  list: {
    operationId: 'listCurrencies',
    summary: 'List currencies',
    query: z.strictObject({ ...listParameters(CURRENCY_SORT_FIELDS), ...activeParameter }),
    read: (caller, query, listRequest) =>
      listCurrencies(caller, parseActiveFilter(query, caller.company.timeZone), listRequest),
  },
  detail: { operationId: 'getCurrency', summary: 'Currency detail', addition: true },
  create: {
    operationId: 'addCurrency',
    summary: 'Add a currency',
    description: 'Recording the first exchange rate of a currency also adds the currency.',
    addition: true,
    body: z.strictObject({ code: currencyCode }),
    bodyExample: { code: 'USD' },
    example: { ...exampleCurrency, code: 'USD', isBase: false },
    message: ({ code }) => `Currency ${code} added.`,
    exampleMessage: 'Currency USD added.',
    create: (platform, caller, { code }, use) => addCurrency(platform, caller, code, use),
    errors: {
      409: 'The company already has the currency, active or inactive (`code_taken`), or the Idempotency-Key is in use.',
    },
  },
  update: {
    operationId: 'updateCurrency',
    summary: 'Activate or deactivate a currency',
    description:
      'An inactive currency accepts no new exchange rates and cannot be used in new documents. Honours If-Match.',
    addition: true,
    body: z.strictObject({ active: flag.optional(), ...readOnlyFields(READ_ONLY) }),
    bodyExample: { active: false },
    readOnly: READ_ONLY,
    update: (platform, caller, at, { active }) => setCurrencyActive(platform, caller, at, active),
    errors: {
      409: 'The base currency is always active (`base_currency`), or it has changed meanwhile (`base_currency_changed`).',
    },
  },
});
