import { Router } from 'express';
import { listPublishedKeys } from '../../services/platform/access/signing-keys';
import type { Platform } from '../../services/platform/platform';
import { renderIdentityError, toAppError } from '../http/errors';
import { getRequestId } from '../http/router';

/** `/.well-known/jwks.json`: the public keys that verify shares of this installation. */
export function createWellKnownRouter(platform: Platform): Router {
  const router = Router();
  router.get('/.well-known/jwks.json', async (_request, response) => {
    try {
      const keys = await listPublishedKeys(platform);
      response
        .set('Cache-Control', 'public, max-age=300')
        .json({ keys: keys.map((key) => ({ ...key, use: 'sig', alg: 'ES256' })) });
    } catch (error) {
      const appError = toAppError(error, platform.logger);
      response.status(appError.status).json(renderIdentityError(appError, getRequestId(response)));
    }
  });
  return router;
}
