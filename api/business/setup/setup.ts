import { z } from 'zod';
import { BUSINESS_SETUP_STEPS, readBusinessSetup } from '../../../services/business/setup/progress';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';

const getSetup = defineRoute({
  method: 'get',
  path: '/api/setup',
  operationId: 'getBusinessSetup',
  summary: 'First-run checklist of business management',
  description:
    'The steps from an empty company to an issued and paid invoice. A step is done as long as a record proves it; steps whose records the caller cannot read are left out.',
  tag: 'Administration',
  addition: true,
  permission: 'any',
  query: z.strictObject({}),
  replies: {
    200: {
      description: 'The steps in their order.',
      schema: z.object({
        data: z.object({ steps: z.array(z.object({ step: z.enum(BUSINESS_SETUP_STEPS), done: z.boolean() })) }),
      }),
      example: {
        data: {
          steps: [
            { step: 'company_described', done: true },
            { step: 'tax_rates_chosen', done: true },
            { step: 'customer_created', done: true },
            { step: 'product_created', done: true },
            { step: 'invoice_issued', done: false },
            { step: 'payment_registered', done: false },
          ],
        },
      },
    },
  },
  async handle(context) {
    return { status: 200, body: { data: { steps: await readBusinessSetup(await getCaller(context)) } } };
  },
});

export const businessSetupRoutes: readonly Route[] = [getSetup];
