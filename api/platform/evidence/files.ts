import contentDisposition from 'content-disposition';
import { Router } from 'express';
import type { Response } from 'express';
import { openFileLink } from '../../../services/platform/evidence/file-links';
import type { Platform } from '../../../services/platform/platform';
import { renderIdentityError, toAppError } from '../../http/errors';
import { getRequestId } from '../../http/router';

const EXTENSIONS: Readonly<Record<string, string>> = {
  'application/pdf': 'pdf',
  'application/vnd.vouch.share+json': 'json',
  'image/heic': 'heic',
  'image/heif': 'heif',
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
};

/** Prevents caching, content sniffing, framing and script execution of personal files. */
function setSecurityHeaders(response: Response): void {
  response.set({
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'Referrer-Policy': 'no-referrer',
    'Accept-Ranges': 'none',
  });
}

/** `/files/<token>`: evidence and reports by short-lived links of the identity API. */
export function createFilesRouter(platform: Platform): Router {
  const router = Router();
  router.get('/files/:token', async (request, response) => {
    setSecurityHeaders(response);
    try {
      if (request.get('range') !== undefined) {
        // Ranges are not supported, since the authentication tag of the whole file must be verified first.
        const error = {
          code: 'range_not_supported',
          message: 'Range requests are not supported.',
          requestId: getRequestId(response),
        };
        response.status(416).json({ ok: false, error });
        return;
      }
      const { record, body } = await openFileLink(platform, request.params.token);
      const name = `${record._id}.${EXTENSIONS[record.contentType] ?? 'bin'}`;
      response.set('Content-Disposition', contentDisposition(name)).type(record.contentType).send(body);
    } catch (error) {
      const appError = toAppError(error, platform.logger);
      response.status(appError.status).json(renderIdentityError(appError, getRequestId(response)));
    }
  });
  return router;
}
