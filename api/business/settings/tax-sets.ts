import { z } from 'zod';
import { getTaxSet, TAX_SET_COUNTRIES } from '../../../domain/business/settings/tax-sets';
import { applyTaxSet } from '../../../services/business/settings/tax-sets';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { flag } from '../fields';
import { serializeResponse } from '../serialization';
import { exampleTaxRate, presentTaxRate, taxRateSchema } from './tax-rates';

const TAG = 'Configuration';

const countryInput = z.enum(TAX_SET_COUNTRIES, { error: `must be one of ${TAX_SET_COUNTRIES.join(', ')}` });

const list = defineRoute({
  method: 'get',
  path: '/api/config/tax-sets',
  operationId: 'listTaxSets',
  summary: 'List the tax sets of countries',
  description: 'The rates that each set creates, in English. Check them before the first invoice: rates change.',
  tag: TAG,
  addition: true,
  permission: 'config:read',
  replies: {
    200: {
      description: 'The sets.',
      schema: z.object({
        data: z.array(
          z.object({
            country: z.string(),
            taxRates: z.array(z.object({ name: z.string(), percent: z.number(), category: z.string() })),
          }),
        ),
      }),
      example: {
        data: [{ country: 'IE', taxRates: [{ name: 'Standard rate', percent: 23, category: 'S' }] }],
      },
    },
  },
  handle() {
    const data = TAX_SET_COUNTRIES.map((country) => ({
      country,
      taxRates: (getTaxSet(country, false) ?? []).map(({ texts, percent, category }) => ({
        name: texts.en.name,
        percent: Number(percent),
        category,
      })),
    }));
    return Promise.resolve({ status: 200, body: { data } } as const);
  },
});

const apply = defineRoute({
  method: 'post',
  path: '/api/config/tax-sets',
  operationId: 'applyTaxSet',
  summary: 'Choose the tax rates of a country',
  description:
    'Creates the rates of the country that the company does not have yet: domestic rates and those of supplies abroad, with names and exemption reasons in every language of documents. The first becomes the default of the company. Sent again, it creates nothing.',
  tag: TAG,
  addition: true,
  permission: 'config:update',
  body: z.strictObject({
    country: countryInput.optional().meta({ description: 'Country of the rates. Default: that of the company.' }),
    smallBusiness: flag
      .optional()
      .meta({ description: 'Whether the company charges no VAT as a small business.', default: false }),
  }),
  bodyExample: { country: 'DE' },
  replies: {
    200: {
      description: 'The rates of the set; the first is the default of the company.',
      schema: z.object({
        data: z.object({ country: z.string(), taxRates: z.array(taxRateSchema) }),
        message: z.string(),
      }),
      example: { data: { country: 'DE', taxRates: [exampleTaxRate] }, message: 'Tax rates of DE chosen.' },
    },
  },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const { country, taxRates } = await applyTaxSet(context.platform, caller, body);
    const data = { country, taxRates: taxRates.map(presentTaxRate) };
    return {
      status: 200,
      body: serializeResponse({ data, message: `Tax rates of ${country} chosen.` }, caller.company.timeZone),
    };
  },
});

export const taxSetRoutes: readonly Route[] = [list, apply];
