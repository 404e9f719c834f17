import { randomBytes } from 'node:crypto';
import contentDisposition from 'content-disposition';
import { Router } from 'express';
import type { Request, Response } from 'express';
import { DOCUMENT_LANGUAGES } from '../../../domain/business/invoices/invoice';
import type { AppError } from '../../../domain/errors';
import { RENDITION_FILE_TYPES } from '../../../models/business/documents/rendition';
import { readInvoicePage, readInvoicePageFile } from '../../../services/business/messages/invoice-page';
import type { Platform } from '../../../services/platform/platform';
import { toAppError } from '../../http/errors';
import { renderInvoicePage, renderProblemPage } from './invoice-page-html';

/** Prevents scripts, framing, caching, indexing and that the address is passed on. @returns the nonce of the style sheet */
function setPageHeaders(response: Response): string {
  const nonce = randomBytes(16).toString('base64');
  response.set({
    'Content-Security-Policy': [
      "default-src 'none'",
      `style-src 'nonce-${nonce}'`,
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ].join('; '),
    'Cache-Control': 'no-store',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'X-Robots-Tag': 'noindex, nofollow, noarchive',
    'Permissions-Policy': 'camera=(), microphone=(), geolocation=()',
  });
  return nonce;
}

const PROBLEMS = { link_expired: 'expired', link_revoked: 'revoked', not_found: 'notFound' } as const;

const hasPage = (code: string): code is keyof typeof PROBLEMS => code in PROBLEMS;

/** A page instead of JSON: people open these addresses in browsers. */
function sendProblem(request: Request, response: Response, error: AppError, nonce: string): void {
  const accepted = request.acceptsLanguages(...DOCUMENT_LANGUAGES);
  const language = DOCUMENT_LANGUAGES.find((code) => code === accepted) ?? 'en';
  const problem = hasPage(error.code) ? PROBLEMS[error.code] : 'unavailable';
  const { retryAfterSeconds } = error.details ?? {};
  if (retryAfterSeconds !== undefined) response.set('Retry-After', String(retryAfterSeconds));
  response
    .status(error.status)
    .type('html')
    .send(renderProblemPage(language, problem, nonce));
}

/** `/invoice/<token>`: the page of an invoice and its files, by signed links, without a sign-in. */
export function createInvoicePageRouter(platform: Platform): Router {
  const router = Router();
  router.get('/invoice/:token', async (request, response) => {
    const nonce = setPageHeaders(response);
    const { token } = request.params;
    try {
      const page = await readInvoicePage(platform, token);
      response.type('html').send(renderInvoicePage(page, `/invoice/${token}`, nonce));
    } catch (error) {
      sendProblem(request, response, toAppError(error, platform.logger), nonce);
    }
  });
  router.get('/invoice/:token/:format', async (request, response) => {
    const nonce = setPageHeaders(response);
    const { token, format: name } = request.params;
    try {
      const { number, bytes, format } = await readInvoicePageFile(platform, token, name);
      const { extension, contentType } = RENDITION_FILE_TYPES[format];
      response
        .set('Content-Disposition', contentDisposition(`${number}.${extension}`))
        .type(contentType)
        .send(bytes);
    } catch (error) {
      sendProblem(request, response, toAppError(error, platform.logger), nonce);
    }
  });
  return router;
}
