import { Router } from 'express';
import { cacheResult } from '../../lib/cached-result';
import { listPublishedKeys } from '../../services/platform/access/signing-keys';
import type { Platform } from '../../services/platform/platform';
import { renderIdentityError, toAppError } from '../http/errors';
import { getRequestId } from '../http/router';

/** The published keys are read from the database at most once in this time. */
const KEEP_MS = 1000;

/**
 * `/.well-known/jwks.json`: the public keys that verify shares of this installation. Express adds an ETag; clients may
 * keep the keys for five minutes, which is shorter than a retired key is published.
 */
export function createWellKnownRouter(platform: Platform): Router {
  const router = Router();
  const readKeys = cacheResult(KEEP_MS, () => listPublishedKeys(platform));
  router.get('/.well-known/jwks.json', async (_request, response) => {
    try {
      const keys = await readKeys();
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
