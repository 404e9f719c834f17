import { z } from 'zod';
import { voidInvoice } from '../../../services/business/invoices/invoice-voids';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { serializeResponse } from '../serialization';
import { buildRequest, getCaller } from '../caller';
import { idPath, line } from '../fields';
import { exampleInvoice, invoiceSchema } from './invoice-responses';
import { loadInvoiceDetail } from './invoices';

const voidRoute = defineRoute({
  method: 'post',
  path: '/api/invoices/:id/void',
  operationId: 'voidInvoice',
  summary: 'Void an invoice',
  description:
    'The number is kept; stock and receivable are reversed today at original cost and exchange rate. A sales order that it was issued from is confirmed again and reserves the goods. An invoice with payments or credit notes, or in a locked period, cannot be voided: the 409 error lists them and the routes that reverse them.',
  tag: 'Invoicing',
  permission: 'invoices:void',
  idempotent: true,
  params: idPath,
  body: z.strictObject({
    reason: line(500).nullable().optional().meta({ description: 'Why the invoice is voided. Default: null.' }),
  }),
  bodyExample: { reason: 'Issued to the wrong customer' },
  replies: {
    200: {
      description: 'The voided invoice.',
      schema: z.object({ data: invoiceSchema, message: z.string() }),
      example: { data: { ...exampleInvoice, status: 'void', open: 0 }, message: 'Invoice INV-2026-000001 voided.' },
    },
  },
  errors: {
    409: 'The invoice is a draft (`invoice_not_issued`), has payments or credit notes (`invoice_not_voidable`), is already void (`already_void`), its period is locked (`period_locked`), or the Idempotency-Key is in use.',
  },
  async handle(context, { params, body }) {
    const caller = await getCaller(context);
    const record = await voidInvoice(buildRequest(context, caller), params.id, body.reason ?? null);
    const { data, headers } = await loadInvoiceDetail(context, caller, record);
    const message = `Invoice ${record.number} voided.`;
    return { status: 200, headers, body: serializeResponse({ data, message }, caller.company.timeZone) };
  },
});

export const invoiceVoidRoutes: readonly Route[] = [voidRoute];
