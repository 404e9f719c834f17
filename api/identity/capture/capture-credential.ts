import { unauthorizedError } from '../../../domain/errors';
import type { Config } from '../../../lib/config';
import type { CaptureBrowserRecord } from '../../../models/identity/capture/capture-browser';
import { accessEndedError, findCaptureBrowser } from '../../../services/identity/capture/browsers';
import type { Platform } from '../../../services/platform/platform';
import { createCookieJar, requireOwnPage } from '../../http/browser';
import type { BrowserHeaders, CookieJar } from '../../http/browser';
import type { Credential } from '../../http/credentials';

/** The permission of a browser on the capture page; no API key or user has it. */
export const CAPTURE_PERMISSION = 'capture';

/** The cookie of the capture page. */
export const createCaptureJar = (config: Pick<Config, 'PUBLIC_URL' | 'CAPTURE_FRAME_ORIGINS'>): CookieJar =>
  createCookieJar(config, 'capture', { inFrames: config.CAPTURE_FRAME_ORIGINS.length > 0 });

/** The page is served by this service only, also where pages of other origins may call the API. */
export const getPageOrigins = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>): Pick<Config, 'ALLOWED_ORIGINS'> => ({
  ALLOWED_ORIGINS: [new URL(PUBLIC_URL).origin],
});

/**
 * Finds the browser of a cookie, which has access to one session only. Unsafe requests also need the page's origin and
 * the CSRF token.
 * @throws AppError 401 without access, 403 without origin or token
 */
export async function authenticateCapture(
  platform: Platform,
  jar: CookieJar,
  headers: BrowserHeaders,
): Promise<Credential> {
  const token = jar.read(headers.cookie);
  const browser = token === null ? null : await findCaptureBrowser(platform, token);
  if (browser === null) throw accessEndedError();
  requireOwnPage(platform, getPageOrigins(platform.config), headers, browser._id);
  return {
    id: browser._id,
    kind: 'person',
    organisationId: browser.organisationId,
    mode: browser.mode,
    permissions: new Set([CAPTURE_PERMISSION]),
    key: null,
    browser: null,
    capture: browser,
    userId: null,
    sessionId: null,
    restriction: null,
  };
}

/** The browser of a request to the capture page's routes. @throws AppError 401 */
export function requireCaptureBrowser({ capture }: Credential): CaptureBrowserRecord {
  if (capture === undefined) throw unauthorizedError();
  return capture;
}
