import { z } from 'zod';
import { RENDITION_FORMATS } from '../../models/business/rendition';
import { obtainInvoicePdf } from '../../services/business/invoice-pdf';
import type { InvoicePdf } from '../../services/business/invoice-pdf';
import { defineRoute } from '../route';
import type { Reply, Route } from '../route';

/** Shorter than the 30 s after which common proxies and clients give up. */
const LONGEST_WAIT_SECONDS = 25;
const POLL_AFTER_SECONDS = 2;

/** RFC 6266: a plain name for old clients, the exact one in UTF-8; neither can hold a path. */
function contentDisposition(number: string): string {
  const name = `${number.replace(/[/\\\p{Cc}]/gu, '_')}.pdf`;
  const plain = name.replace(/[^\w.\- ]/g, '_');
  const exact = encodeURIComponent(name).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${exact}`;
}

/** Weak comparison (RFC 9110, 13.1.2): the client names what it holds, and that decides. */
const holds = (ifNoneMatch: string | undefined, etag: string): boolean =>
  ifNoneMatch?.split(',').some((tag) => ['*', etag, `W/${etag}`].includes(tag.trim())) ?? false;

function document(pdf: InvoicePdf, ifNoneMatch: string | undefined): Reply {
  const etag = `"${pdf.sha256}"`;
  const unchanged = holds(ifNoneMatch, etag);
  return {
    status: unchanged ? 304 : 200,
    bytes: unchanged ? Buffer.alloc(0) : pdf.bytes,
    contentType: 'application/pdf',
    headers: {
      ETag: etag,
      'Content-Disposition': contentDisposition(pdf.number),
      // The document never changes, but whether this client may see it does.
      'Cache-Control': 'private, no-cache',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

const accepted: Reply = {
  status: 202,
  body: { data: { status: 'rendering' }, message: 'The PDF is being made; ask again.' },
  headers: { 'Retry-After': String(POLL_AFTER_SECONDS), 'Preference-Applied': 'respond-async' },
};

const download = defineRoute({
  method: 'get',
  path: '/api/invoices/:id/pdf',
  operationId: 'downloadInvoicePdf',
  summary: 'Download PDF',
  description:
    'The invoice as it was issued, always the same bytes. The first request has it rendered and waits for it, at most 25 s ' +
    '(less with `Prefer: wait=N`); with `Prefer: respond-async` it answers 202 at once. `If-None-Match` is honoured (304).',
  tag: 'Invoicing',
  permission: 'invoices:read',
  params: z.object({ id: z.coerce.number().int().positive() }),
  query: z.strictObject({
    format: z.enum(RENDITION_FORMATS, { error: `accepts ${RENDITION_FORMATS.join(', ')}` }).default('pdf'),
  }),
  replies: {
    200: { description: 'The PDF, with its SHA-256 as ETag.', contentType: 'application/pdf' },
    202: {
      description: 'Being rendered (only with `Prefer: respond-async`); Retry-After says when to ask again.',
      schema: z.object({ data: z.object({ status: z.literal('rendering') }), message: z.string() }),
      example: { data: { status: 'rendering' }, message: 'The PDF is being made; ask again.' },
    },
  },
  errors: {
    409: '`invoice_not_issued`: a draft has no PDF.',
    503: '`pdf_not_ready` or `rendering_failed`: ask again after Retry-After seconds.',
  },
  async handle(context, { params, query }) {
    const { platform, credential, preferences } = context;
    const waitSeconds = Math.min(preferences.waitSeconds ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
    const pdf = await obtainInvoicePdf(platform, credential, params.id, {
      format: query.format,
      waitMs: preferences.respondAsync ? null : waitSeconds * 1000,
    });
    return pdf === null ? accepted : document(pdf, context.header('if-none-match'));
  },
});

export const invoicePdfRoutes: readonly Route[] = [download];
