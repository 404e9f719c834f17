import contentDisposition from 'content-disposition';
import { printInvoicePreview } from '../../../services/business/documents/invoice-previews';
import { defineRoute } from '../../http/route';
import type { Route } from '../../http/route';
import { getCaller } from '../caller';
import { invoiceInput, toInvoiceInput } from './invoice-input';

/** Shorter than the 30 s after which common proxies and clients give up. */
const MAX_WAIT_MS = 25_000;

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
  replies: { 200: { description: 'The printed page.', contentType: ['application/pdf'] } },
  errors: { 503: '`pdf_not_ready` or `rendering_failed`: send the request again after Retry-After seconds.' },
  async handle(context, { body }) {
    const caller = await getCaller(context);
    const input = toInvoiceInput(body, caller.company.timeZone);
    return {
      status: 200,
      bytes: await printInvoicePreview(context.platform, caller, input, MAX_WAIT_MS),
      contentType: 'application/pdf',
      headers: {
        'Content-Disposition': contentDisposition('preview.pdf', { type: 'inline' }),
        'Cache-Control': 'private, no-store',
        'X-Content-Type-Options': 'nosniff',
      },
    };
  },
});

export const invoicePreviewRoutes: readonly Route[] = [preview];
