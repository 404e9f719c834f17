import { createRateLimiter } from '../../../lib/rate-limiter';
import type { Platform } from '../../../services/platform/platform';
import { renderIdentityError } from '../../http/errors';
import type { Route } from '../../http/route';
import type { ApiDefinition } from '../../http/router';
import { captureAccessRoutes } from './access';
import { captureLogoRoutes } from './branding';
import { captureRoutes } from './capture';
import { authenticateCapture, createCaptureJar } from './capture-credential';
import { captureUploadRoutes } from './uploads';

/** The routes of the capture page, which accept only its cookie. */
export const capturePageRoutes: readonly Route[] = [
  ...captureAccessRoutes,
  ...captureRoutes,
  ...captureUploadRoutes,
  ...captureLogoRoutes,
];

/**
 * The part of the identity API that the capture page uses. It is mounted before the rest of `/v1`, accepts neither API
 * keys nor signed-in users, and counts requests per browser.
 */
export function createCaptureApi(platform: Platform): ApiDefinition {
  const { config } = platform;
  const jar = createCaptureJar(config);
  const perMinute = config.RATE_LIMIT_CAPTURE_PER_MINUTE;
  const exchanges = createRateLimiter('capture-exchange', perMinute);
  const browsers = createRateLimiter('capture', perMinute);
  return {
    name: 'identity',
    prefix: '/v1/capture',
    routes: capturePageRoutes,
    renderError: renderIdentityError,
    authenticate: (_platform, { browser }) => authenticateCapture(platform, jar, browser),
    limits: {
      before: (route, address) =>
        route?.permission === 'public' ? [{ limiter: exchanges, counts: 'address', key: address }] : [],
      after: (_route, { id }) => [{ limiter: browsers, counts: 'user', key: id }],
    },
  };
}
