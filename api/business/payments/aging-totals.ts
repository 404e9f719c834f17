import { z } from 'zod';
import type { LedgerSide } from '../../../domain/business/payments/open-items';
import { computeAgingTotals } from '../../../services/business/payments/aging-totals';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { serializeResponse } from '../serialization';
import { agingAmountsSchema, exampleAgingAmounts } from './account-responses';
import { SIDE_NAMES } from './accounts';

/** The totals of what is open today, by age. */
export const defineAgingTotalsRoute = (side: LedgerSide): Route => {
  const { path, module, operation, tag } = SIDE_NAMES[side];
  return defineRoute({
    method: 'get',
    path: `${path}/aging/totals`,
    operationId: `get${operation}AgingTotals`,
    summary: `Totals of open ${module} by age`,
    description: `The totals of the aging report of today, without its parties. Reads only what is open, so that its cost does not grow with the settled ${module}.`,
    tag,
    addition: true,
    permission: `${module}:read`,
    query: z.strictObject({}),
    replies: {
      200: {
        description: 'The totals in base currency.',
        schema: z.object({
          data: z.object({
            asOf: z.iso.date().meta({ description: 'Today in the time zone of the company.' }),
            baseCurrencyCode: z.string(),
            documents: z.number().int().meta({ description: 'Number of open documents; credit is not counted.' }),
            total: agingAmountsSchema,
          }),
        }),
        example: { data: { asOf: '2026-11-22', baseCurrencyCode: 'EUR', documents: 3, total: exampleAgingAmounts } },
      },
    },
    async handle(context) {
      const caller = await getCaller(context);
      const { timeZone, baseCurrencyCode } = caller.company;
      const { asOf, documents, total } = await computeAgingTotals(context.platform, caller, side);
      return { status: 200, body: serializeResponse({ data: { asOf, baseCurrencyCode, documents, total } }, timeZone) };
    },
  });
};
