import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { AppError, unauthorizedError } from '../../domain/errors';
import type { Config } from '../../lib/config';
import { isCsrfTokenValid, findBrowserSession } from '../../services/platform/access/browser-sessions';
import type { BrowserCredential } from '../../services/platform/access/browser-sessions';
import type { Platform } from '../../services/platform/platform';
import type { BrowserHeaders } from './credentials';

/** Carries the CSRF token that login and `GET /v1/auth/me` answer. */
export const CSRF_HEADER = 'x-csrf-token';

type Origins = Pick<Config, 'PUBLIC_URL' | 'ALLOWED_ORIGINS'>;

/** A browser's cookie for one purpose. */
export interface CookieJar {
  readonly name: string;
  /** Sets it; the browser forgets it after `maxAgeSeconds`. */
  set(value: string, maxAgeSeconds: number): string;
  clear(): string;
  /** The value in a `Cookie` header; null when it is not there. */
  read(header: string | null): string | null;
}

/**
 * The cookie of one purpose, never readable by scripts nor sent along from another site. Over https its name makes the
 * browser insist on Secure and on this very host; over http (loopback alone, checked at the start) its name has the
 * port, since browsers send cookies to every port of a host.
 */
export function createCookieJar({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, purpose: string): CookieJar {
  const url = new URL(PUBLIC_URL);
  const isSecure = url.protocol === 'https:';
  const name = isSecure ? `__Host-vouch_${purpose}` : `vouch_${purpose}_${url.port || '80'}`;
  const attributes = `Path=/; HttpOnly; SameSite=Strict${isSecure ? '; Secure' : ''}`;
  return {
    name,
    set: (value, maxAgeSeconds) => `${name}=${value}; Max-Age=${maxAgeSeconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
    read(header) {
      const pairs = (header ?? '').split(';').map((part) => part.trim());
      const found = pairs.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1);
      return found === undefined || found === '' ? null : found;
    },
  };
}

/**
 * Refuses what a page of another site could send: browsers name the page's origin on every unsafe request.
 * @throws AppError 403
 */
export function requireAllowedOrigin(config: Origins, origin: string | null): void {
  if (origin !== null && config.ALLOWED_ORIGINS.includes(origin)) return;
  throw new AppError(
    'origin_not_allowed',
    403,
    'Origin: a browser session is used from pages of the allowed origins only.',
  );
}

/**
 * The person signed in by this cookie. A request that may change something needs an allowed origin and the CSRF token.
 * @throws AppError 401 without a living session, 403 without origin or token
 */
export async function authenticateBrowser(
  platform: Platform,
  jar: CookieJar,
  headers: BrowserHeaders,
): Promise<BrowserCredential> {
  const token = jar.read(headers.cookie);
  const found = token === null ? null : await findBrowserSession(platform, token);
  if (found === null) throw unauthorizedError('The session has ended; sign in again.');
  if (headers.isUnsafe) {
    requireAllowedOrigin(platform.config, headers.origin);
    if (!isCsrfTokenValid(found, headers.csrfToken)) {
      throw new AppError('csrf_token_invalid', 403, 'X-CSRF-Token: send the token that login answered.');
    }
  }
  return found;
}

const ALLOWED_METHODS = 'GET, POST, PATCH, DELETE';
const ALLOWED_HEADERS = 'Content-Type, Idempotency-Key, Prefer, X-CSRF-Token, X-Request-Id';
const EXPOSED_HEADERS = 'Location, RateLimit-Limit, RateLimit-Remaining, RateLimit-Reset, Retry-After, X-Request-Id';
const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** Lets pages of the allowed origins, and no other, read answers to requests with their cookie (CORS). */
export const createCorsHandler =
  (config: Origins): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !config.ALLOWED_ORIGINS.includes(origin)) return next();
    response.set({
      'Access-Control-Allow-Origin': origin,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': EXPOSED_HEADERS,
      // Helmet's default would keep a page of another site from reading what CORS lets it read.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    if (request.method !== 'OPTIONS' || request.get('access-control-request-method') === undefined) return next();
    response
      .set({
        'Access-Control-Allow-Methods': ALLOWED_METHODS,
        'Access-Control-Allow-Headers': ALLOWED_HEADERS,
        'Access-Control-Max-Age': String(PREFLIGHT_MAX_AGE_SECONDS),
      })
      .json({ ok: true });
  };
