import { Router } from 'express';
import type { NextFunction, Request, Response } from 'express';
import { AppError, forbiddenError, unauthorizedError } from '../../domain/errors';
import { computeRequestFingerprint } from '../../services/platform/transactions/idempotency';
import { restrictedError } from '../../services/platform/access/restrictions';
import type { Platform } from '../../services/platform/platform';
import { toClientKey } from '../../lib/client-key';
import type { Credential, PresentedCredentials } from './credentials';
import { CSRF_HEADER } from './browser';
import { toAppError } from './errors';
import type { ErrorRenderer } from './errors';
import { BodyIntake } from './body-intake';
import type { RequestBody } from './body-intake';
import { readJson } from './json-body';
import { readMultipart } from './multipart';
import { parsePreferences } from './preferences';
import { consumeRateLimits, refundRateLimits } from './rate-limits';
import type { RateLimitUse } from './rate-limits';
import { sendStream } from './stream-reply';
import { buildTransferLimits, readWithinLimits } from './transfer-limits';
import type { RawInput, Reply, Route, RouteContext, UploadedFile } from './route';

/** The definition of one of the two APIs, or of the part of the identity API for the capture page. */
export interface ApiDefinition {
  name: 'identity' | 'business';
  prefix: '/v1' | '/v1/capture' | '/api';
  routes: readonly Route[];
  renderError: ErrorRenderer;
  /** @throws AppError 401 */
  authenticate(platform: Platform, presented: PresentedCredentials): Promise<Credential>;
  /** Rate limits applied before authentication, when it fails, and after it. */
  limits: {
    before?: (route: Route | null, address: string, presented: PresentedCredentials | null) => RateLimitUse[];
    failed?: (address: string, presented: PresentedCredentials) => RateLimitUse[];
    after?: (route: Route, credential: Credential) => RateLimitUse[];
  };
}

const MAX_IDEMPOTENCY_KEY_LENGTH = 255;

/** The id of the request, as in `X-Request-Id` of its response; empty before `api/app.ts` has set it. */
export const getRequestId = (response: Response): string => String(response.locals['requestId'] ?? '');

function readPresentedCredentials(request: Request): PresentedCredentials {
  // A malformed bearer token is an invalid one: it must not count as absent.
  const bearer = /^Bearer(?: +(.*))?$/i.exec(request.get('authorization') ?? '');
  return {
    bearer: bearer === null ? null : (bearer[1] ?? ''),
    apiKey: request.get('x-api-key') ?? null,
    browser: {
      cookie: request.get('cookie') ?? null,
      origin: request.get('origin') ?? null,
      csrfToken: request.get(CSRF_HEADER) ?? null,
      isUnsafe: request.method !== 'GET' && request.method !== 'HEAD',
    },
    address: request.ip ?? '',
  };
}

async function readBody(
  route: Route,
  request: Request,
  response: Response,
  requestBody: RequestBody,
): Promise<{ body: unknown; files: Record<string, UploadedFile> }> {
  if (route.files !== undefined) {
    const { fields, files } = await readMultipart(request, route.files, requestBody);
    return { body: fields, files };
  }
  if (route.body === undefined) return { body: undefined, files: {} };
  return { body: await readJson(request, response, requestBody), files: {} };
}

/** The headers that are parameters of a route; empty if none is sent, so that other requests keep their fingerprint. */
function readParameterHeaders(route: Route, request: Request): { headers?: Record<string, string> } {
  const sent = Object.keys(route.headers ?? {}).flatMap((name) => {
    const value = request.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return sent.length === 0 ? {} : { headers: Object.fromEntries(sent) };
}

function parseIdempotency(
  route: Route,
  request: Request,
  credential: Credential | null,
  raw: RawInput,
): RouteContext['idempotency'] {
  const key = request.get('idempotency-key');
  if (route.idempotent !== true || key === undefined || credential === null) return undefined;
  if (key === '' || key.length > MAX_IDEMPOTENCY_KEY_LENGTH || !/^[\x21-\x7e]+$/.test(key)) {
    throw new AppError(
      'invalid_request',
      400,
      `Idempotency-Key: accepts 1–${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters.`,
      {
        fields: [
          { field: 'Idempotency-Key', problem: `accepts 1–${MAX_IDEMPOTENCY_KEY_LENGTH} visible ASCII characters` },
        ],
      },
    );
  }
  const name = `${route.method.toUpperCase()} ${route.path}`;
  const bodies = Object.fromEntries(Object.entries(raw.files).map(([field, file]) => [field, file.body]));
  const headers = readParameterHeaders(route, request);
  return {
    organisationId: credential.organisationId,
    // A user has the same id in both modes, an API key works in one.
    credentialId: credential.mode === 'test' ? `${credential.id}/test` : credential.id,
    route: name,
    key,
    fingerprint: computeRequestFingerprint(name, { params: raw.params, body: raw.body, ...headers }, bodies),
  };
}

async function sendReply(response: Response, reply: Reply): Promise<void> {
  const writeHead = (): Response =>
    response
      .status(reply.status)
      .set('Cache-Control', 'no-store')
      .set(reply.headers ?? {});
  if ('bytes' in reply) writeHead().type(reply.contentType).send(reply.bytes);
  else if ('stream' in reply) await sendStream(response, reply.stream, () => writeHead().type(reply.contentType));
  else writeHead().json({ ok: true, ...reply.body });
}

/** What the router of one API needs for each request. */
interface RouterContext {
  platform: Platform;
  api: ApiDefinition;
  bodies: BodyIntake;
}

/** The caller of a request: what it presented, and what was verified of it; both null on a public route. */
interface Caller {
  presented: PresentedCredentials | null;
  verified: Credential | null;
}

/** Refuses a caller that lacks the permission of the route. @throws AppError 403 */
function requirePermission(route: Route, credential: Credential | null): void {
  const { permission, alternativePermissions = [], whileRestricted } = route;
  if (credential?.restriction != null && whileRestricted !== true) throw restrictedError(credential.restriction);
  if (credential === null || permission === 'any') return;
  const isAllowed = [permission, ...alternativePermissions].some((each) => credential.permissions.has(each));
  if (!isAllowed) throw forbiddenError(permission);
}

/** Checks the permission, reads the request, runs the route and sends its reply. */
async function runRoute(
  { platform, api, bodies }: RouterContext,
  { presented, verified }: Caller,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  requirePermission(route, verified);
  const requestBody = bodies.open(verified?.organisationId ?? toClientKey(request.ip ?? ''));
  try {
    const limits = buildTransferLimits(platform.config);
    const isArriving = !request.complete;
    const read = await readWithinLimits(request, limits, () => readBody(route, request, response, requestBody));
    // The body may have taken a minute to arrive, in which a key can be revoked or a user signed out.
    const credential = isArriving && presented !== null ? await api.authenticate(platform, presented) : verified;
    requirePermission(route, credential);
    const raw: RawInput = { params: request.params, query: request.query, ...read };
    const context: RouteContext = {
      platform,
      get credential() {
        if (credential === null) throw unauthorizedError();
        return credential;
      },
      address: request.ip ?? '',
      preferences: parsePreferences(request.get('prefer')),
      header: (name) => request.get(name),
      idempotency: parseIdempotency(route, request, credential, raw),
    };
    await sendReply(response, await route.run(context, raw));
  } finally {
    await requestBody.release();
  }
}

/**
 * Verifies what a request presents. One that fails counts against the limits of its address.
 * @throws AppError 401, 403; 429 above a limit, instead of what is wrong with the credential
 */
async function authenticateLimited(
  { platform, api }: RouterContext,
  presented: PresentedCredentials,
  isLimited: boolean,
  response: Response,
): Promise<Credential> {
  try {
    return await api.authenticate(platform, presented);
  } catch (error) {
    if (isLimited && error instanceof AppError)
      await consumeRateLimits(api.limits.failed?.(toClientKey(presented.address), presented) ?? [], response);
    throw error;
  }
}

async function handleRequest(
  context: RouterContext,
  route: Route,
  request: Request,
  response: Response,
): Promise<void> {
  const { api } = context;
  const isLimited = route.limit !== 'exempt';
  const isPublic = route.permission === 'public';
  const presented = isPublic ? null : readPresentedCredentials(request);
  if (isLimited)
    await consumeRateLimits(api.limits.before?.(route, toClientKey(request.ip ?? ''), presented) ?? [], response);
  const verified = presented === null ? null : await authenticateLimited(context, presented, isLimited, response);
  const uses = isLimited && verified !== null ? (api.limits.after?.(route, verified) ?? []) : [];
  await consumeRateLimits(uses, response);
  try {
    await runRoute(context, { presented, verified }, route, request, response);
  } catch (error) {
    await refundRateLimits(uses, response);
    throw error;
  }
}

/** Sends an error in the format of the API. */
function sendError(platform: Platform, api: ApiDefinition, error: unknown, response: Response): void {
  const appError = toAppError(error, platform.logger);
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const retryAfter = appError.details?.retryAfterSeconds;
  if (retryAfter !== undefined && [409, 429, 503].includes(appError.status))
    response.set('Retry-After', String(retryAfter));
  // The rest of the body is not awaited.
  if (appError.status === 408) response.set('Connection', 'close');
  if (appError.status === 401) response.set('WWW-Authenticate', 'Bearer');
  response
    .status(appError.status)
    .set('Cache-Control', 'no-store')
    .json(api.renderError(appError, getRequestId(response)));
}

/** Sorts literal paths before paths with parameters. */
const compareLiteralFirst = (a: Route, b: Route): number => Number(a.path.includes(':')) - Number(b.path.includes(':'));

/** The methods of a path: GET also answers HEAD, and every path answers OPTIONS. */
const listMethods = (routes: readonly Route[]): string[] => [
  ...routes.flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()])),
  'OPTIONS',
];

/** Counts a request that reaches no route against the limits of its address. @throws AppError 429 */
const countUnrouted = (api: ApiDefinition, request: Request, response: Response): Promise<void> =>
  consumeRateLimits(api.limits.before?.(null, toClientKey(request.ip ?? ''), null) ?? [], response);

/** Answers a method that a path does not have with 405, and OPTIONS with the methods that it has. */
async function rejectMethod(
  platform: Platform,
  api: ApiDefinition,
  allowed: readonly string[],
  request: Request,
  response: Response,
): Promise<void> {
  response.set('Allow', allowed.join(', '));
  try {
    await countUnrouted(api, request, response);
    if (request.method !== 'OPTIONS')
      throw new AppError('method_not_allowed', 405, `This path accepts ${allowed.join(', ')}.`);
    response.status(204).end();
  } catch (error) {
    sendError(platform, api, error, response);
  }
}

/** Router of one API: its routes, 404 and 405 responses, and error handling. */
export function createApiRouter(
  platform: Platform,
  api: ApiDefinition,
  bodies: BodyIntake = new BodyIntake(platform.config),
): Router {
  const context: RouterContext = { platform, api, bodies };
  const router = Router({ caseSensitive: true });
  const routes = [...api.routes].sort(compareLiteralFirst);
  for (const path of new Set(routes.map((route) => route.path))) {
    const routesOfPath = routes.filter((route) => route.path === path);
    for (const route of routesOfPath) {
      router[route.method](path, async (request: Request, response: Response) => {
        try {
          await handleRequest(context, route, request, response);
        } catch (error) {
          sendError(platform, api, error, response);
        }
      });
    }
    // Before the routes of the next path: the other methods of a literal path must not reach a path with a parameter.
    router.all(path, (request: Request, response: Response) =>
      rejectMethod(platform, api, listMethods(routesOfPath), request, response),
    );
  }
  router.use(api.prefix, async (request: Request, response: Response) => {
    try {
      await countUnrouted(api, request, response);
      throw new AppError('not_found', 404, 'No such route.');
    } catch (error) {
      sendError(platform, api, error, response);
    }
  });
  router.use(api.prefix, (error: unknown, _request: Request, response: Response, _next: NextFunction) =>
    sendError(platform, api, error, response),
  );
  return router;
}
