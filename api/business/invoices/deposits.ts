import { z } from 'zod';
import { listUsableDeposits } from '../../../services/business/invoices/prepaid';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { currencyCode, day, MAX_ID } from '../fields';
import { serializeResponse } from '../serialization';
import { presentTotals, totalFields } from './invoice-responses';

const depositSchema = z.object({
  invoiceId: z.number().int(),
  number: z.string(),
  issueDate: day,
  currencyCode: z.string(),
  ...totalFields,
});

const customerId = z
  .string({ error: 'is required; must be the number of a customer' })
  .regex(/^[1-9]\d{0,14}$/, 'must be the number of a customer')
  .transform(Number)
  .meta({ type: 'integer', minimum: 1, maximum: MAX_ID });

const list = defineRoute({
  method: 'get',
  path: '/api/invoices/deposits',
  operationId: 'listUsableDeposits',
  summary: 'Deposits that an invoice can deduct',
  description:
    'Deposit invoices of a customer that are paid in full and that no invoice deducts, oldest first, at most 100: the accepted values of `depositInvoiceIds`.',
  tag: 'Invoicing',
  addition: true,
  permission: 'invoices:read',
  query: z.strictObject({
    customerId,
    currencyCode: currencyCode.optional().meta({ description: 'Currency of the invoice. Default: every currency.' }),
  }),
  replies: {
    200: {
      description: 'The deposits.',
      schema: z.object({ data: z.array(depositSchema) }),
      example: {
        data: [
          {
            invoiceId: 12,
            number: 'INV-2026-000012',
            issueDate: '2026-11-02',
            currencyCode: 'EUR',
            total: 500,
            taxTotal: 95,
            grandTotal: 595,
          },
        ],
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    const deposits = await listUsableDeposits(caller, query);
    const data = deposits.map(({ id, document, currencyCode: currency }) => ({
      invoiceId: id,
      number: document.number,
      issueDate: document.issueDate,
      currencyCode: currency,
      ...presentTotals(document),
    }));
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

export const depositRoutes: readonly Route[] = [list];
