import { z } from 'zod';
import { DOCUMENT_FORMATS } from '../../models/business/rendition';
import type { DocumentFormat } from '../../models/business/rendition';
import { obtainDocumentFile } from '../../services/business/document-files';
import type { DocumentFile } from '../../services/business/document-files';
import { defineRoute } from '../route';
import type { Reply, Route } from '../route';

/** Shorter than the 30 s after which common proxies and clients give up. */
const LONGEST_WAIT_SECONDS = 25;
const POLL_AFTER_SECONDS = 2;

/** RFC 6266: a plain name for old clients, the exact one in UTF-8; neither can hold a path. */
function contentDisposition(number: string, extension: string): string {
  const name = `${number.replace(/[/\\\p{Cc}]/gu, '_')}.${extension}`;
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

const SENT_AS: Readonly<Record<DocumentFormat, { extension: string; contentType: string }>> = {
  pdf: { extension: 'pdf', contentType: 'application/pdf' },
  facturx: { extension: 'pdf', contentType: 'application/pdf' },
  ubl: { extension: 'xml', contentType: 'application/xml' },
};

/** A file of a document as download; 304 to a client that holds it. */
export function documentReply(file: DocumentFile, format: DocumentFormat, ifNoneMatch: string | undefined): Reply {
  const { extension, contentType } = SENT_AS[format];
  const etag = `"${file.sha256}"`;
  const unchanged = holds(ifNoneMatch, etag);
  return {
    status: unchanged ? 304 : 200,
    bytes: unchanged ? Buffer.alloc(0) : file.bytes,
    contentType,
    headers: {
      ETag: etag,
      'Content-Disposition': contentDisposition(file.number, extension),
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
    'The invoice as it was issued, always the same bytes; once void, a second PDF with a stamp. The first request has it rendered and waits for it, at most 25 s ' +
    '(less with `Prefer: wait=N`); with `Prefer: respond-async` it answers 202 at once. `If-None-Match` is honoured (304).',
  tag: 'Invoicing',
  permission: 'invoices:read',
  params: z.object({ id: z.coerce.number().int().positive() }),
  query: z.strictObject({
    format: z
      .enum(DOCUMENT_FORMATS, { error: `accepts ${DOCUMENT_FORMATS.join(', ')}` })
      .default('pdf')
      .meta({
        description:
          '`pdf`: the printed page. `facturx`: the same as PDF/A-3 with the electronic invoice in it (Factur-X, profile ' +
          'EN 16931). `ubl`: the electronic invoice alone, UBL 2.1. The last two are additions.',
      }),
  }),
  replies: {
    200: {
      description: 'The file, with its SHA-256 as ETag: a PDF, or XML with `format=ubl`.',
      contentType: ['application/pdf', 'application/xml'],
    },
    202: {
      description: 'Being rendered (only with `Prefer: respond-async`); Retry-After says when to ask again.',
      schema: z.object({ data: z.object({ status: z.literal('rendering') }), message: z.string() }),
      example: { data: { status: 'rendering' }, message: 'The PDF is being made; ask again.' },
    },
  },
  errors: {
    409:
      '`invoice_not_issued`: a draft has no PDF. `einvoice_unfit`: the invoice breaks rules of EN 16931, named in ' +
      '`details.rules`, and cannot be had as `facturx` or `ubl`.',
    503: '`pdf_not_ready` or `rendering_failed`: ask again after Retry-After seconds.',
  },
  async handle(context, { params, query }) {
    const { platform, credential, preferences } = context;
    const waitSeconds = Math.min(preferences.waitSeconds ?? LONGEST_WAIT_SECONDS, LONGEST_WAIT_SECONDS);
    const { format } = query;
    const waitMs = preferences.respondAsync ? null : waitSeconds * 1000;
    const file = await obtainDocumentFile(platform, credential, { kind: 'invoice', id: params.id }, { format, waitMs });
    return file === null ? accepted : documentReply(file, format, context.header('if-none-match'));
  },
});

export const invoicePdfRoutes: readonly Route[] = [download];
