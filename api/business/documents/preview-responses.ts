import contentDisposition from 'content-disposition';

/** Shorter than the 30 s after which common proxies and clients give up. */
export const PREVIEW_WAIT_MS = 25_000;

/** What an operation that prints a preview answers. */
export const PREVIEW_REPLY = {
  replies: { 200: { description: 'The printed page.', contentType: ['application/pdf'] } },
  errors: { 503: '`pdf_not_ready` or `rendering_failed`: send the request again after Retry-After seconds.' },
} as const;

/** A preview that is shown in the browser and not kept by it. */
export const buildPreviewResponse = (bytes: Buffer) =>
  ({
    status: 200,
    bytes,
    contentType: 'application/pdf',
    headers: {
      'Content-Disposition': contentDisposition('preview.pdf', { type: 'inline' }),
      'Cache-Control': 'private, no-store',
      'X-Content-Type-Options': 'nosniff',
    },
  }) as const;
