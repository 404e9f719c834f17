import contentDisposition from 'content-disposition';
import { z } from 'zod';
import { DOCUMENT_FORMATS, RENDITION_FILE_TYPES } from '../../../models/business/documents/rendition';
import type { DocumentFormat, PrintedKind } from '../../../models/business/documents/rendition';
import { obtainDocumentFile } from '../../../services/business/documents/document-files';
import type { DocumentFile } from '../../../services/business/documents/document-files';
import { defineRoute } from '../../http/route';
import type { BytesReply, JsonReply, Route } from '../../http/route';
import { idPath } from '../fields';

/** Shorter than the 30 s after which common proxies and clients give up. */
const MAX_WAIT_SECONDS = 25;
const POLL_AFTER_SECONDS = 2;

/** Builds the download of a file; the app responds with 304 to a client that has the ETag. */
function buildFileReply(file: DocumentFile, format: DocumentFormat): BytesReply<200> {
  const { extension, contentType } = RENDITION_FILE_TYPES[format];
  return {
    status: 200,
    bytes: file.bytes,
    contentType,
    headers: {
      ETag: `"${file.sha256}"`,
      'Content-Disposition': contentDisposition(`${file.number}.${extension}`),
      // The document never changes, but the permission of the client to read it can.
      'Cache-Control': 'private, no-cache',
      'X-Content-Type-Options': 'nosniff',
    },
  };
}

const renderingSchema = z.object({ data: z.object({ status: z.literal('rendering') }), message: z.string() });

const acceptedReply: JsonReply<202, z.infer<typeof renderingSchema>> = {
  status: 202,
  body: { data: { status: 'rendering' }, message: 'The file is being rendered; request it again.' },
  headers: { 'Retry-After': String(POLL_AFTER_SECONDS), 'Preference-Applied': 'respond-async' },
};

const replies = {
  200: {
    description: 'The file, with its SHA-256 as ETag: a PDF, or XML with `format=ubl` or `format=cii`.',
    contentType: ['application/pdf', 'application/xml'],
  },
  202: {
    description:
      'The file is being rendered (only with `Prefer: respond-async`); Retry-After has the seconds to wait before the next request.',
    schema: renderingSchema,
    example: acceptedReply.body,
  },
};

const documentFileQuery = z.strictObject({
  format: z
    .enum(DOCUMENT_FORMATS, { error: `accepts ${DOCUMENT_FORMATS.join(', ')}` })
    .default('pdf')
    .meta({
      description:
        'File format. `pdf`: the printed page. `facturx`: the same page as PDF/A-3 with the electronic document embedded ' +
        '(Factur-X). `ubl`, `cii`: the electronic document alone, as UBL 2.1 or Cross Industry Invoice. The profile is that of ' +
        'the customer at issue: EN 16931, XRechnung 3, Peppol BIS Billing 3 (UBL) or Factur-X Extended (CII).',
    }),
});

/** The differences between the routes for invoices and for credit notes. */
interface PrintedDocument {
  kind: PrintedKind;
  path: string;
  operationId: string;
  addition: boolean;
  permission: string;
  /** First sentence of the route's description. */
  description: string;
  /** Additional reason for a 409 error; ends with a space unless empty. */
  notPrintableNote: string;
}

const defineDownloadRoute = (printed: PrintedDocument): Route =>
  defineRoute({
    method: 'get',
    path: printed.path,
    operationId: printed.operationId,
    summary: 'Download PDF',
    description:
      `${printed.description} The first request renders the file and waits for it, at most 25 s ` +
      '(less with `Prefer: wait=N`); with `Prefer: respond-async` it responds with 202 at once. Honours `If-None-Match` (304).',
    tag: 'Invoicing',
    addition: printed.addition,
    permission: printed.permission,
    params: idPath,
    query: documentFileQuery,
    replies,
    errors: {
      409:
        `${printed.notPrintableNote}\`einvoice_unfit\`: the document violates the rules of EN 16931 or its profile listed in \`details.rules\` and ` +
        'is not available as `facturx`, `ubl` or `cii`.',
      503: '`pdf_not_ready` or `rendering_failed`: send the request again after Retry-After seconds.',
    },
    async handle(context, { params, query: { format } }) {
      const { platform, credential, preferences } = context;
      const waitSeconds = Math.min(preferences.waitSeconds ?? MAX_WAIT_SECONDS, MAX_WAIT_SECONDS);
      const waitMs = preferences.respondAsync ? null : waitSeconds * 1000;
      const document = { kind: printed.kind, id: params.id };
      const file = await obtainDocumentFile(platform, credential, document, { format, waitMs });
      return file === null ? acceptedReply : buildFileReply(file, format);
    },
  });

export const documentFileRoutes: readonly Route[] = [
  defineDownloadRoute({
    kind: 'invoice',
    path: '/api/invoices/:id/pdf',
    operationId: 'downloadInvoicePdf',
    addition: false,
    permission: 'invoices:read',
    description: 'The invoice as issued, always the same bytes; a void invoice has a second PDF with a stamp.',
    notPrintableNote: '`invoice_not_issued`: a draft has no PDF. ',
  }),
  defineDownloadRoute({
    kind: 'credit_note',
    path: '/api/credit-notes/:id/pdf',
    operationId: 'downloadCreditNotePdf',
    addition: true,
    permission: 'credit-notes:read',
    description: 'The credit note as issued, always the same bytes.',
    notPrintableNote: '',
  }),
];
