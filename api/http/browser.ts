import { parseCookie, stringifySetCookie } from 'cookie';
import cors from 'cors';
import type { RequestHandler } from 'express';
import { AppError, unauthorizedError } from '../../domain/errors';
import type { Config } from '../../lib/config';
import { closeBrowserSession, findBrowserSession } from '../../services/platform/access/browser-sessions';
import type { BrowserCredential, OpenedBrowserSession } from '../../services/platform/access/browser-sessions';
import { isCsrfTokenValid } from '../../services/platform/access/csrf-tokens';
import type { Platform } from '../../services/platform/platform';

/** Request header with the CSRF token that login and `GET /v1/auth/me` return. */
export const CSRF_HEADER = 'x-csrf-token';

/** Purpose of the session of the console, part of the name of its cookie. */
const CONSOLE_COOKIE = 'console';

type Origins = Pick<Config, 'ALLOWED_ORIGINS'>;

/** What a request says about the page that sent it. */
export interface BrowserHeaders {
  cookie: string | null;
  origin: string | null;
  csrfToken: string | null;
  /** Whether the method can change data: any except GET and HEAD. */
  isUnsafe: boolean;
}

/** A browser's cookie for one purpose. */
export interface CookieJar {
  readonly name: string;
  /** The `Set-Cookie` header of a cookie that the browser removes after `maxAgeSeconds`. */
  set(value: string, maxAgeSeconds: number): string;
  /** The `Set-Cookie` header that removes the cookie. */
  clear(): string;
  /** The value in a `Cookie` header; null when it is absent or empty. */
  read(header: string | null): string | null;
}

/**
 * The cookie of one purpose, which scripts cannot read and browsers do not send with requests from other sites. Over
 * https the prefix of its name makes browsers insist on Secure and on this very host; over http (loopback only, checked
 * at startup) its name contains the port, since browsers send cookies to every port of a host.
 *
 * @param options.inFrames Whether pages of other sites may embed the page of the cookie: over https, browsers then keep a
 *   separate cookie for each of those sites (`Partitioned`). @default false
 */
export function createCookieJar(
  { PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>,
  purpose: string,
  { inFrames = false }: { inFrames?: boolean } = {},
): CookieJar {
  const url = new URL(PUBLIC_URL);
  const secure = url.protocol === 'https:';
  const name = secure ? `__Host-vouch_${purpose}` : `vouch_${purpose}_${url.port || '80'}`;
  const crossSite = { sameSite: 'none', partitioned: true } as const;
  const site = secure && inFrames ? crossSite : ({ sameSite: 'strict' } as const);
  const attributes = { name, path: '/', httpOnly: true, ...site, secure } as const;
  return {
    name,
    set: (value, maxAge) => stringifySetCookie({ ...attributes, value, maxAge }),
    clear: () => stringifySetCookie({ ...attributes, value: '', maxAge: 0 }),
    read: (header) => parseCookie(header ?? '')[name] || null,
  };
}

/** The cookie by which both APIs know a signed-in user. */
export const createConsoleCookieJar = (config: Pick<Config, 'PUBLIC_URL'>): CookieJar =>
  createCookieJar(config, CONSOLE_COOKIE);

/** The `Set-Cookie` header of a session that has begun; the browser removes the cookie when the session expires. */
export const setConsoleCookie = ({ config, clock }: Platform, { token, session }: OpenedBrowserSession): string =>
  createConsoleCookieJar(config).set(
    token,
    Math.max(1, Math.ceil((session.expiresAt.getTime() - clock.now().getTime()) / 1000)),
  );

/** Ends the browser session of a request in both APIs, and returns the headers that remove its cookie. */
export async function endBrowserSession(platform: Platform, { session }: BrowserCredential) {
  await closeBrowserSession(platform, session);
  return { 'Set-Cookie': createConsoleCookieJar(platform.config).clear() };
}

/**
 * Rejects requests from pages of other sites: browsers send the page's origin with every unsafe request.
 * @throws AppError 403
 */
export function requireAllowedOrigin(config: Origins, origin: string | null): void {
  if (origin !== null && config.ALLOWED_ORIGINS.includes(origin)) return;
  throw new AppError(
    'origin_not_allowed',
    403,
    'Origin: a browser session can be used only from pages of the allowed origins.',
  );
}

/**
 * Asserts that an unsafe request with a cookie comes from a page of an allowed origin that knows the CSRF token.
 * @param sessionId the session of the cookie
 * @throws AppError 403 without origin or token
 */
export function requireOwnPage(
  platform: Platform,
  origins: Origins,
  { isUnsafe, origin, csrfToken }: BrowserHeaders,
  sessionId: string,
): void {
  if (!isUnsafe) return;
  requireAllowedOrigin(origins, origin);
  if (isCsrfTokenValid(platform, sessionId, csrfToken)) return;
  throw new AppError('csrf_token_invalid', 403, 'X-CSRF-Token: send the token that login returned.');
}

/**
 * Finds the user signed in by a cookie. Unsafe requests also need an allowed origin and the CSRF token.
 * @throws AppError 401 without a valid session, 403 without origin or token
 */
export async function authenticateBrowser(
  platform: Platform,
  jar: CookieJar,
  headers: BrowserHeaders,
): Promise<BrowserCredential> {
  const token = jar.read(headers.cookie);
  const found = token === null ? null : await findBrowserSession(platform, token);
  if (found === null) throw unauthorizedError('The session has ended; sign in again.');
  requireOwnPage(platform, platform.config, headers, found.session._id);
  return found;
}

const PREFLIGHT_MAX_AGE_SECONDS = 600;

/** The headers of requests that a route declares, by name. */
interface DeclaredHeaders {
  headers?: Readonly<Record<string, string>>;
}

/** Headers of requests that routes do not declare, since they are read for all of them. */
const COMMON_REQUEST_HEADERS = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-API-Key',
  'X-CSRF-Token',
  'X-Request-Id',
];

/**
 * CORS of both APIs: pages of the allowed origins, and no others, can send requests with a cookie or credential and read
 * the responses.
 * @param apis Headers that their routes declare may be sent, too.
 */
export function createCorsHandler(
  { ALLOWED_ORIGINS }: Pick<Config, 'ALLOWED_ORIGINS'>,
  apis: readonly { routes: readonly DeclaredHeaders[] }[],
): RequestHandler {
  const declaredHeaders = apis.flatMap(({ routes }) => routes.flatMap(({ headers }) => Object.keys(headers ?? {})));
  const handleCors = cors({
    origin: [...ALLOWED_ORIGINS],
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
    allowedHeaders: [...new Set([...COMMON_REQUEST_HEADERS, ...declaredHeaders])],
    exposedHeaders: [
      'Allow',
      'Content-Disposition',
      'ETag',
      'Location',
      'RateLimit-Limit',
      'RateLimit-Policy',
      'RateLimit-Remaining',
      'RateLimit-Reset',
      'Retry-After',
      'X-Device-Token',
      'X-Request-Id',
    ],
    maxAge: PREFLIGHT_MAX_AGE_SECONDS,
    optionsSuccessStatus: 200,
  });
  return (request, response, next) => {
    response.vary('Origin');
    const origin = request.get('origin');
    if (origin === undefined || !ALLOWED_ORIGINS.includes(origin)) return next();
    // Helmet's default would prevent pages of other sites from reading what CORS allows.
    response.set('Cross-Origin-Resource-Policy', 'cross-origin');
    handleCors(request, response, next);
  };
}
