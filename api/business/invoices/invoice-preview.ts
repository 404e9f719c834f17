import { printInvoicePreview } from '../../../services/business/documents/invoice-previews';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { buildPreviewResponse, PREVIEW_REPLY, PREVIEW_WAIT_MS } from '../documents/preview-responses';
import { invoiceInput, toInvoiceInput } from './invoice-input';

const preview = defineRoute({
  method: 'post',
  path: '/api/invoices/preview',
  operationId: 'previewInvoice',
  summary: 'Print an invoice before it is issued',
  description:
    'The PDF of the invoice that `POST /api/invoices` with the same body would store as a draft, with the stamp "Draft" and without a number or a QR bill; no document is created. It is printed in the language of the document, and waits for it at most 25 s. The file is deleted after about a day.',
  tag: 'Invoicing',
  addition: true,
  permission: 'invoices:create',
  body: invoiceInput,
  bodyExample: { customerId: 1, lines: [{ productId: 1, quantity: 15 }] },
  ...PREVIEW_REPLY,
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const input = toInvoiceInput(body, caller.company.timeZone);
    return buildPreviewResponse(await printInvoicePreview(context.platform, caller, input, PREVIEW_WAIT_MS));
  },
});

export const invoicePreviewRoutes: readonly Route[] = [preview];
