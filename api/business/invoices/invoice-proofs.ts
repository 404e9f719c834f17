import { z } from 'zod';
import { explainCalculation } from '../../../domain/business/invoices/calculation-explanation';
import { getInvoice } from '../../../services/business/invoices/invoice-lists';
import { PROOF_PAGE_SIZE, proveNumbering } from '../../../services/business/documents/numbering-proof';
import { wholeNumberParameter } from '../../http/paging';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { getCaller } from '../caller';
import { idPath } from '../fields';

const wholeNumber = (description: string) =>
  wholeNumberParameter('must be a whole number from 1', 1, 9_999_999_999).optional().meta({ description });

const numberingProofSchema = z.object({
  seriesId: z.number().int(),
  prefix: z.string(),
  year: z.number().int(),
  last: z.number().int().meta({ description: 'Counter of the series and year: the last number allocated.' }),
  count: z
    .number()
    .int()
    .meta({ description: 'Number of documents, including void ones. Equal to `last` if there is no gap.' }),
  voided: z.number().int(),
  missing: z.array(z.number().int()).meta({ description: 'The first 100 missing numbers.' }),
  firstNumber: z.string().nullable(),
  lastNumber: z.string().nullable(),
  checked: z.object({
    from: z.number().int(),
    to: z.number().int(),
    valid: z.boolean(),
    firstWrong: z.number().int().nullable(),
    chainHash: z.string().nullable(),
  }),
  nextFrom: z
    .number()
    .int()
    .nullable()
    .meta({ description: '`from` of the next request; null if the whole chain is checked.' }),
});

const numbering = defineRoute({
  method: 'get',
  path: '/api/invoices/numbering',
  operationId: 'proveInvoiceNumbering',
  summary: 'Prove that invoice numbers have no gap',
  description: `Compares the number of documents of a series and year with its counter, and recomputes the chain of hashes from the documents, ${PROOF_PAGE_SIZE} per request.`,
  tag: 'Invoicing',
  addition: true,
  permission: 'invoices:read',
  query: z.strictObject({
    seriesId: wholeNumber('Document series. Default: the invoice series of the company.'),
    year: wholeNumber('Calendar year. Default: the current year.'),
    from: wholeNumber('First sequence number to check. Default: 1.'),
  }),
  replies: {
    200: {
      description: 'The proof.',
      schema: z.object({ data: numberingProofSchema }),
      example: {
        data: {
          seriesId: 1,
          prefix: 'INV',
          year: 2026,
          last: 3,
          count: 3,
          voided: 1,
          missing: [],
          firstNumber: 'INV-2026-000001',
          lastNumber: 'INV-2026-000003',
          checked: { from: 1, to: 3, valid: true, firstWrong: null, chainHash: '9f86d081884c7d65…' },
          nextFrom: null,
        },
      },
    },
  },
  async handle(context, { query }) {
    const caller = await getCaller(context);
    return { status: 200, body: { data: await proveNumbering(context.platform, caller, query) } };
  },
});

const calculation = defineRoute({
  method: 'get',
  path: '/api/invoices/:id/calculation',
  operationId: 'explainInvoice',
  summary: 'Explain the amounts of an invoice',
  tag: 'Invoicing',
  addition: true,
  permission: 'invoices:read',
  params: idPath,
  replies: {
    200: {
      description: 'Every step of the calculation, in order.',
      schema: z.object({
        data: z.object({
          invoiceId: z.number().int(),
          currencyCode: z.string(),
          taxRounding: z.enum(['per_rate', 'per_line']),
          steps: z.array(z.object({ of: z.string(), formula: z.string(), result: z.number() })),
        }),
      }),
      example: {
        data: {
          invoiceId: 1,
          currencyCode: 'EUR',
          taxRounding: 'per_rate',
          steps: [
            { of: 'lines[1].gross', formula: '15 × 6.36', result: 95.4 },
            { of: 'taxes[0].net', formula: '95.4', result: 95.4 },
            { of: 'taxes[0].tax', formula: '(95.4) × 21 %', result: 20.03 },
            { of: 'total', formula: '95.4', result: 95.4 },
            { of: 'taxTotal', formula: '20.03', result: 20.03 },
            { of: 'grandTotal', formula: '95.4 + 20.03', result: 115.43 },
          ],
        },
      },
    },
  },
  async handle(context, { params }) {
    const caller = await getCaller(context);
    const { document, id } = await getInvoice(caller, params.id);
    const { currencyCode, taxRounding } = document;
    const data = { invoiceId: id, currencyCode, taxRounding, steps: explainCalculation(document) };
    return { status: 200, body: serializeResponse({ data }, caller.company.timeZone) };
  },
});

/** `/numbering` must precede routes that take an id in that position. */
export const invoiceProofRoutes: readonly Route[] = [numbering, calculation];
